// A bot in JavaScript over TCP: npm install --no-package-lock, then: node bot.js HOST[:PORT] [TABLE] [NAME]
// Without a table it sits down at the first open one. It lays the card of which it has most alike, calls una in time,
// and catches who forgot to.
import net from "node:net";
import { decode, encode } from "@msgpack/msgpack";

const [address = "localhost", wanted, name = "node"] = process.argv.slice(2);
const [, host, port] = address.match(/^(.*?)(?::(\d+))?$/);
const socket = net.connect(Number(port ?? 4820), host);
let received = Buffer.alloc(0);
let lastId = 0;
let pause = 0;
let view = null; // the last `state`; the hand in it is kept up to date
let table = wanted;

function send(t, fields = {}) {
  // a frame: four bytes of length, big-endian, then one msgpack map; the ids increase
  const body = encode({ t, id: ++lastId, ...fields });
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32BE(body.length);
  frame.set(body, 4);
  // the server takes 50 messages a second
  pause = Math.max(pause + 20, Date.now());
  setTimeout(() => socket.writable && socket.write(frame), pause - Date.now());
}

function alike(action) {
  const color = action.color?.[0].toUpperCase() ?? action.card[0];
  const wild = action.card.startsWith("W") ? 100 : 0; // kept for last
  return view.hand.filter((card) => card[0] === color).length - wild;
}

function choose(turn) {
  const plays = turn.legal.filter((action) => action.k === "play").sort((a, b) => alike(b) - alike(a));
  if (!plays.length) return turn.legal[turn.default];
  return turn.can_una ? { ...plays[0], una: true } : plays[0];
}

const EVENTS = {
  dealt: (e) => e.hand && (view.hand = [...e.hand]),
  drew: (e) => e.cards && view.hand.push(...e.cards),
  played(e) {
    if (e.seat === view.you && view.hand.includes(e.card)) view.hand.splice(view.hand.indexOf(e.card), 1);
    if (e.hand) view.hand = [...e.hand];
  },
  turn(e) {
    if (e.seat !== view.you) return;
    for (const seat of e.catchable ?? []) if (seat !== view.you) send("act", { table, do: { k: "catch", seat } });
  },
  round_over: (e) => e.match_over || send("ready", { table }),
  match_over: () => send("rematch", { table }),
  left: (e) => e.seat === view.you && end("The table is gone."),
};

// no news: the rematch has begun already; somebody called in time, or was caught by somebody else
const QUIET = new Set(["not_now", "already_started", "nothing_to_catch", "cannot_catch", "too_fast"]);

const MESSAGES = {
  welcome: () => (wanted ? send("join", { table: wanted }) : send("lobby", { subscribe: true })),
  ok: (message) => message.tables && look(message.tables),
  lobby: (message) => look(message.tables),
  state: (message) => ((view = { hand: [], ...message }), (table = message.table)),
  ev: (message) => view && EVENTS[message.e.k]?.(message.e), // kinds that are not known are ignored
  turn: (message) => send("act", { table, turn: message.turn, do: choose(message) }),
  ping: () => send("pong"),
  err: (message) => (view === null ? end(message.msg) : QUIET.has(message.code) || console.error(message.msg)),
  bye: (message) => end(message.msg),
};

function look(rows) {
  const open = rows.find((row) => row.phase === "waiting" && row.taken < row.seats);
  if (!table && open) send("join", { table: (table = open.id) });
}

function end(text) {
  console.error(text);
  socket.destroy();
  process.exit(1);
}

socket.on("connect", () => send("hello", { proto: [1], name, bot: true, client: "node-example/1" }));
socket.on("error", (error) => end(error.message));
socket.on("close", () => end("The connection is closed."));
socket.on("data", (chunk) => {
  received = Buffer.concat([received, chunk]);
  while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
    const length = received.readUInt32BE(0);
    const message = decode(received.subarray(4, 4 + length));
    received = received.subarray(4 + length);
    MESSAGES[message.t]?.(message); // types that are not known are ignored
  }
});
