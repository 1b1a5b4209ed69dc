"""The ten lessons, from laying a card to the end of a round."""

from __future__ import annotations

from typing import Final

from una_protocol import events as ev
from una_protocol.actions import CHALLENGE, DRAW, PASS, Catch, Play
from una_protocol.cards import COLORS, Card

from ..i18n import mark
from .lesson import TEACHER, YOU, Lesson, Step

PILE: Final = 60


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split())


def _play(card: str) -> Play:
    return Play(Card(card))


def _laid(seat: int, card: str, color: str, pending: int = 0, *, una: bool = False) -> ev.Played:
    return ev.Played(seat, Card(card), color, pending, una)  # type: ignore[arg-type]  # a colour as it is written


LESSONS: Final[tuple[Lesson, ...]] = (
    Lesson(
        title=mark("1 The colour"),
        hand=_cards("R3 B5 G8"),
        top=Card("R9"),
        teacher_cards=5,
        steps=(
            Step(
                says=mark("You lay one card on the pile in each turn. It fits if it has the same colour."),
                keys=mark("Tab goes to the card that fits, Enter lays it."),
                typed=mark("Type the number of the red card."),
                wrong=mark("That would do, but lay the red card."),
                legal=(_play("R3"), DRAW),
                right=(_play("R3"),),
                then=(_laid(YOU, "R3", "red"),),
            ),
        ),
        done=mark("Right: red on red."),
    ),
    Lesson(
        title=mark("2 The number"),
        hand=_cards("Y5 B7 B2"),
        top=Card("R5"),
        teacher_cards=5,
        steps=(
            Step(
                says=mark("A card of another colour fits too, if it has the same number."),
                keys=mark("Lay the five: Tab, then Enter."),
                typed=mark("Type the number of the five."),
                wrong=mark("Do not draw; you have a five."),
                legal=(_play("Y5"), DRAW),
                right=(_play("Y5"),),
                then=(_laid(YOU, "Y5", "yellow"),),
            ),
        ),
        done=mark("Right: five on five. Now yellow counts."),
    ),
    Lesson(
        title=mark("3 Drawing"),
        hand=_cards("G7 Y1 B4"),
        top=Card("R5"),
        teacher_cards=5,
        steps=(
            Step(
                says=mark("No card of yours fits. Then you draw one."),
                keys=mark("Press d."),
                typed=mark("Type draw."),
                wrong=mark("Draw a card."),
                legal=(DRAW,),
                right=(DRAW,),
                then=(ev.Drew(YOU, 1, "turn", PILE - 1, _cards("R2")),),
            ),
            Step(
                says=mark("It fits! A card that you have just drawn may be laid at once, or kept."),
                keys=mark("Lay it with p. (n would keep it.)"),
                typed=mark("Type play. (pass would keep it.)"),
                wrong=mark("You may keep it, but lay it this time."),
                legal=(_play("R2"), PASS),
                right=(_play("R2"),),
                phase="drawn",
                then=(_laid(YOU, "R2", "red"),),
            ),
        ),
        done=mark("Well done."),
    ),
    Lesson(
        title=mark("4 Skip"),
        hand=_cards("BS B3 G1"),
        top=Card("B9"),
        teacher_cards=5,
        steps=(
            Step(
                says=mark("Some cards do something. A skip takes the turn from whoever is next: here from me."),
                keys=mark("Lay the blue skip."),
                typed=mark("Type the number of the blue skip."),
                wrong=mark("Lay the skip first."),
                legal=(_play("BS"), _play("B3"), DRAW),
                right=(_play("BS"),),
                then=(_laid(YOU, "BS", "blue"), ev.Skipped(TEACHER)),
            ),
            Step(
                says=mark("I am skipped, so it is your turn again."),
                keys=mark("Lay the blue three."),
                typed=mark("Type the number of the blue three."),
                wrong=mark("You need not draw; the blue three fits."),
                legal=(_play("B3"), DRAW),
                right=(_play("B3"),),
                then=(_laid(YOU, "B3", "blue"),),
            ),
        ),
        done=mark("Two cards in a row. A reverse turns the direction; between two it skips as well."),
    ),
    Lesson(
        title=mark("5 Draw two"),
        hand=_cards("G+2 G4 R1"),
        top=Card("G6"),
        teacher_cards=2,
        steps=(
            Step(
                says=mark("I have only two cards left. A draw two makes me take two cards and lose my turn."),
                keys=mark("Lay the green +2."),
                typed=mark("Type the number of the green draw two."),
                wrong=mark("Lay the draw two: I must not get away."),
                legal=(_play("G+2"), _play("G4"), DRAW),
                right=(_play("G+2"),),
                then=(_laid(YOU, "G+2", "green", 2), ev.Drew(TEACHER, 2, "pending", PILE - 2)),
            ),
        ),
        done=mark("Ouch. Some tables let one answer a draw two with another: then the cards add up."),
    ),
    Lesson(
        title=mark("6 The wild card"),
        hand=_cards("W G1 G2"),
        top=Card("B4"),
        teacher_cards=5,
        steps=(
            Step(
                says=mark("A wild card fits on everything, and you choose the colour that counts then."),
                keys=mark("Lay the wild card and choose green."),
                typed=mark("Type its number and green, like: 3 green."),
                wrong=mark("Choose green: you hold two green cards."),
                legal=(*(Play(Card("W"), color) for color in COLORS), DRAW),
                right=(Play(Card("W"), "green"),),
                then=(_laid(YOU, "W", "green"),),
            ),
            Step(
                says=mark("I had no green card, and drew."),
                keys=mark("Lay a green card."),
                typed=mark("Type the number of a green card."),
                wrong=mark("A green card fits."),
                before=(ev.Drew(TEACHER, 1, "turn", PILE - 1), ev.Passed(TEACHER)),
                legal=(_play("G1"), _play("G2"), DRAW),
                right=(_play("G1"), _play("G2")),
                then=(),
            ),
        ),
        done=mark("Right. The colour counts until somebody changes it."),
    ),
    Lesson(
        title=mark("7 Una"),
        hand=_cards("R3 Y8"),
        top=Card("R7"),
        teacher_cards=4,
        steps=(
            Step(
                says=mark("Whoever lays the last card but one says una. Who forgets it and is caught draws two."),
                keys=mark("Press u: una goes out with the card. Then lay the red three."),
                typed=mark("Type the number of the red three and una, like: 1 una."),
                wrong=mark("Without una I would have caught you! Once more: say una with the card."),
                legal=(_play("R3"), DRAW),
                right=(Play(Card("R3"), una=True),),
                can_una=True,
                then=(_laid(YOU, "R3", "red", una=True),),
            ),
        ),
        done=mark("That is how it is done."),
    ),
    Lesson(
        title=mark("8 Catching"),
        hand=_cards("B2 B6 Y9"),
        top=Card("B5"),
        teacher_cards=2,
        steps=(
            Step(
                says=mark("Now I have laid my last card but one, and said nothing. Catch me before you play!"),
                keys=mark("Press c."),
                typed=mark("Type catch."),
                wrong=mark("Catch me first; once you have played it is too late."),
                before=(_laid(TEACHER, "B8", "blue"),),
                legal=(_play("B2"), _play("B6"), DRAW),
                right=(Catch(TEACHER),),
                catchable=(TEACHER,),
                then=(ev.Caught(TEACHER, YOU), ev.Drew(TEACHER, 2, "una", PILE - 2)),
            ),
        ),
        done=mark("Caught: I draw two cards."),
    ),
    Lesson(
        title=mark("9 Draw four"),
        hand=_cards("Y2 B6 G9"),
        top=Card("B5"),
        teacher_cards=4,
        steps=(
            Step(
                says=mark(
                    "I lay a draw four on blue. I may do that only without a blue card. But perhaps I hold one …"
                ),
                keys=mark("Challenge it with c. (a would accept it: four cards for you.)"),
                typed=mark("Type challenge. (accept would mean four cards for you.)"),
                wrong=mark("Do not give in: I am bluffing."),
                before=(_laid(TEACHER, "W+4", "red", 4),),
                legal=(DRAW, CHALLENGE),
                right=(CHALLENGE,),
                phase="penalty",
                pending=4,
                then=(
                    ev.Challenged(YOU, TEACHER, True),
                    ev.Shown(TEACHER, YOU, _cards("B1 R6 Y0")),
                    ev.Drew(TEACHER, 4, "challenge", PILE - 4),
                ),
            ),
        ),
        done=mark("You were right: I draw the four cards. If I had been honest, you would draw six."),
    ),
    Lesson(
        title=mark("10 The end"),
        hand=_cards("Y3"),
        top=Card("Y9"),
        teacher_cards=2,
        said_una=True,
        steps=(
            Step(
                says=mark("Your last card, and you have said una. Who lays the last card wins the round."),
                keys=mark("Lay it."),
                typed=mark("Type 1."),
                wrong=mark("It fits: lay it."),
                legal=(_play("Y3"), DRAW),
                right=(_play("Y3"),),
                then=(
                    _laid(YOU, "Y3", "yellow"),
                    ev.RoundOver(YOU, ((), _cards("B5 W")), (55, 0), (55, 0), True),
                    ev.MatchOver((YOU,), (55, 0)),
                ),
            ),
        ),
        done=mark("You get points for the cards that others still hold: numbers count as they are, a wild card 50."),
    ),
)
