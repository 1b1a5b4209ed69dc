"""The rules in force, in words: for every option one plain sentence, in English or German.

Every value has its own sentence; only numbers are put in. `"n"` stands for any number without a sentence of its own.
"""

from __future__ import annotations

from typing import Final, Literal

from .game import OPTION_SPECS, PROFILES, Options, overrides_of

Language = Literal["en", "de"]
Sentences = dict[object, str]

MARK: Final = "* "
"""Stands before what differs from the profile."""

_ENGLISH: Final[dict[str, Sentences]] = {
    "hand_size": {1: "Everybody is dealt one card.", "n": "Everybody is dealt {n} cards."},
    "first_dealer": {
        "draw": "Everybody draws a card; the highest number deals the first round.",
        "random": "Chance decides who deals the first round.",
    },
    "first_card": {
        "plain": "The card turned up first has no effect; on a wild card anything may be laid.",
        "effect": "The card turned up first takes effect; a draw four goes back into the pile.",
        "number": "Cards are turned up until a number lies there; a draw four goes back into the pile.",
    },
    "two_player_reverse": {
        "removed": "Two players play without the reverse cards; with two left of more, a reverse acts as a skip.",
        "skip": "Between two players a reverse acts as a skip.",
        "turn": "Between two players a reverse only turns the direction.",
    },
    "voluntary_draw": {
        True: "You may draw although you could lay a card.",
        False: "You may draw only if you cannot lay a card.",
    },
    "play_drawn": {
        True: "A drawn card that fits may be laid at once.",
        False: "A drawn card cannot be laid in the same turn.",
    },
    "force_play": {
        True: "A drawn card that fits must be laid.",
        False: "A drawn card that fits may be kept.",
    },
    "draw_until_playable": {
        True: "You draw until a card fits.",
        False: "You draw one card.",
    },
    "stack_draw_two": {
        "none": "A draw two cannot be answered: you take the cards.",
        "two": "A draw two may be answered by a draw two.",
        "any": "A draw two may be answered by a draw two or a draw four.",
    },
    "stack_draw_four": {
        "none": "A draw four cannot be answered by another card: you take the cards.",
        "four": "A draw four may be answered by a draw four.",
        "any": "A draw four may be answered by a draw four, or by a draw two of the wished colour.",
    },
    "draw_four": {
        "free": "A draw four may be laid at any time.",
        "strict": "A draw four is refused while you hold a card that forbids it.",
        "bluff": "A draw four may be a bluff; the next player may challenge it.",
    },
    "draw_four_guard": {
        "color": "Where draw fours are judged, a held card of the colour in force forbids one.",
        "color_or_number": "Where draw fours are judged, a held card of the colour or number on top forbids one.",
    },
    "failed_challenge_extra": {
        0: "Where challenges are allowed, one that fails costs no cards on top.",
        1: "Where challenges are allowed, one that fails costs one card on top.",
        "n": "Where challenges are allowed, one that fails costs {n} cards on top.",
    },
    "serve_wish": {
        True: "A wished colour must be served once before anybody wishes again.",
        False: "A wish may be followed by the next wish.",
    },
    "una_penalty": {
        0: "Nobody needs to call una.",
        1: "Whoever forgets to call una and is caught draws one card.",
        "n": "Whoever forgets to call una and is caught draws {n} cards.",
    },
    "una_catcher": {
        "next": "Where una is called, only the next player may catch somebody who forgot.",
        "anyone": "Where una is called, anyone may catch somebody who forgot.",
    },
    "una_window": {
        "acts": "Where una is called, it is too late to catch once the next player acts.",
        "discards": "Where una is called, it is too late to catch once the next player lays a card or ends the turn.",
    },
    "illegal_card_penalty": {
        0: "A card that does not fit is refused, and costs nothing.",
        1: "Laying a card that does not fit costs one card.",
        "n": "Laying a card that does not fit costs {n} cards.",
    },
    "advice_penalty": {
        0: "Giving advice to other players is not punished.",
        1: "Giving advice to other players costs one card.",
        "n": "Giving advice to other players costs {n} cards.",
    },
    "last_card_draws": {
        True: "A draw card laid last still makes the next player draw before points are counted.",
        False: "A draw card laid last makes nobody draw any more.",
    },
    "scoring": {
        "winner": "Whoever goes out scores the points of all other hands.",
        "losers": "Everybody else counts the points of the own hand; the lowest total wins.",
    },
    "going_out_bonus": {
        0: "With winner scoring, there is no bonus for going out.",
        1: "With winner scoring, going out is worth one point more.",
        "n": "With winner scoring, going out is worth {n} points more.",
    },
    "target_score": {
        0: "The match is one round.",
        1: "The match ends when somebody has one point.",
        "n": "The match ends when somebody has {n} points.",
    },
    "jump_in": {
        True: "The same coloured card as the top may be laid out of turn.",
        False: "Nobody plays out of turn.",
    },
    "seven_zero": {
        True: "A seven swaps hands with a player you name; a zero passes all hands on.",
        False: "Sevens and zeros are ordinary cards.",
    },
}

_GERMAN: Final[dict[str, Sentences]] = {
    "hand_size": {1: "Alle bekommen eine Karte.", "n": "Alle bekommen {n} Karten."},
    "first_dealer": {
        "draw": "Alle ziehen eine Karte; wer die höchste Zahl zieht, gibt in der ersten Runde.",
        "random": "Der Zufall bestimmt, wer in der ersten Runde gibt.",
    },
    "first_card": {
        "plain": "Die zuerst aufgedeckte Karte wirkt nicht; auf eine Farbwahl darf dann alles gelegt werden.",
        "effect": "Die zuerst aufgedeckte Karte wirkt; eine 4-Ziehen-Karte kommt zurück in den Stapel.",
        "number": "Es wird aufgedeckt, bis eine Zahl daliegt; eine 4-Ziehen-Karte kommt zurück in den Stapel.",
    },
    "two_player_reverse": {
        "removed": "Zu zweit fehlen die Richtungswechsel; bleiben von mehreren zwei, wirkt einer wie Aussetzen.",
        "skip": "Zu zweit wirkt ein Richtungswechsel wie Aussetzen.",
        "turn": "Zu zweit ändert ein Richtungswechsel nur die Richtung.",
    },
    "voluntary_draw": {
        True: "Du darfst ziehen, auch wenn du legen könntest.",
        False: "Du darfst nur ziehen, wenn du nicht legen kannst.",
    },
    "play_drawn": {
        True: "Eine gezogene Karte, die passt, darf sofort gelegt werden.",
        False: "Eine gezogene Karte kann nicht im selben Zug gelegt werden.",
    },
    "force_play": {
        True: "Eine gezogene Karte, die passt, muss gelegt werden.",
        False: "Eine gezogene Karte, die passt, darf behalten werden.",
    },
    "draw_until_playable": {
        True: "Du ziehst, bis eine Karte passt.",
        False: "Du ziehst eine Karte.",
    },
    "stack_draw_two": {
        "none": "Auf 2-Ziehen kann man nicht antworten: Du nimmst die Karten.",
        "two": "Auf 2-Ziehen darf man mit 2-Ziehen antworten.",
        "any": "Auf 2-Ziehen darf man mit 2-Ziehen oder 4-Ziehen antworten.",
    },
    "stack_draw_four": {
        "none": "Auf 4-Ziehen kann man nicht mit einer Karte antworten: Du nimmst die Karten.",
        "four": "Auf 4-Ziehen darf man mit 4-Ziehen antworten.",
        "any": "Auf 4-Ziehen darf man mit 4-Ziehen antworten, oder mit 2-Ziehen in der gewünschten Farbe.",
    },
    "draw_four": {
        "free": "4-Ziehen darf jederzeit gelegt werden.",
        "strict": "4-Ziehen wird abgelehnt, solange du eine Karte hast, die es verbietet.",
        "bluff": "4-Ziehen darf ein Bluff sein; wer danach am Zug ist, darf es anzweifeln.",
    },
    "draw_four_guard": {
        "color": "Wo 4-Ziehen geprüft wird, verbietet es eine Karte der geltenden Farbe auf der Hand.",
        "color_or_number": "Wo 4-Ziehen geprüft wird, verbietet es eine Karte der geltenden Farbe oder Zahl.",
    },
    "failed_challenge_extra": {
        0: "Wo angezweifelt werden darf, kostet ein falscher Zweifel keine Karten zusätzlich.",
        1: "Wo angezweifelt werden darf, kostet ein falscher Zweifel eine Karte zusätzlich.",
        "n": "Wo angezweifelt werden darf, kostet ein falscher Zweifel {n} Karten zusätzlich.",
    },
    "serve_wish": {
        True: "Eine gewünschte Farbe muss einmal bedient werden, bevor wieder gewünscht wird.",
        False: "Auf einen Wunsch darf gleich der nächste folgen.",
    },
    "una_penalty": {
        0: "Niemand muss una sagen.",
        1: "Wer vergisst, una zu sagen, und erwischt wird, zieht eine Karte.",
        "n": "Wer vergisst, una zu sagen, und erwischt wird, zieht {n} Karten.",
    },
    "una_catcher": {
        "next": "Wo una gesagt wird, darf nur erwischen, wer als Nächstes an der Reihe ist.",
        "anyone": "Wo una gesagt wird, dürfen alle erwischen.",
    },
    "una_window": {
        "acts": "Wo una gesagt wird, ist es zu spät zum Erwischen, sobald der nächste Zug beginnt.",
        "discards": "Wo una gesagt wird, ist es zu spät zum Erwischen, sobald danach gelegt wird oder der Zug endet.",
    },
    "illegal_card_penalty": {
        0: "Eine Karte, die nicht passt, wird abgelehnt und kostet nichts.",
        1: "Eine Karte zu legen, die nicht passt, kostet eine Karte.",
        "n": "Eine Karte zu legen, die nicht passt, kostet {n} Karten.",
    },
    "advice_penalty": {
        0: "Anderen zu raten, wird nicht bestraft.",
        1: "Anderen zu raten, kostet eine Karte.",
        "n": "Anderen zu raten, kostet {n} Karten.",
    },
    "last_card_draws": {
        True: "Nach einer Ziehen-Karte als letzter Karte wird noch gezogen, bevor gezählt wird.",
        False: "Nach einer Ziehen-Karte als letzter Karte wird nicht mehr gezogen.",
    },
    "scoring": {
        "winner": "Wer alle Karten ablegt, bekommt die Punkte aller anderen Hände.",
        "losers": "Alle anderen zählen die Punkte der eigenen Hand; die niedrigste Summe gewinnt.",
    },
    "going_out_bonus": {
        0: "Wo die Punkte der anderen Hände zählen, gibt es für das Ablegen aller Karten keine Punkte dazu.",
        1: "Wo die Punkte der anderen Hände zählen, bringt das Ablegen aller Karten einen Punkt dazu.",
        "n": "Wo die Punkte der anderen Hände zählen, bringt das Ablegen aller Karten {n} Punkte dazu.",
    },
    "target_score": {
        0: "Das Spiel ist eine Runde.",
        1: "Das Spiel endet, wenn jemand einen Punkt hat.",
        "n": "Das Spiel endet, wenn jemand {n} Punkte hat.",
    },
    "jump_in": {
        True: "Wer die gleiche farbige Karte wie die oberste hat, darf sie außer der Reihe legen.",
        False: "Niemand legt außer der Reihe.",
    },
    "seven_zero": {
        True: "Eine 7 tauscht die Hand mit einer Person deiner Wahl; bei einer 0 wandern alle Hände weiter.",
        False: "Siebenen und Nullen sind gewöhnliche Karten.",
    },
}

SENTENCES: Final[dict[Language, dict[str, Sentences]]] = {"en": _ENGLISH, "de": _GERMAN}

_TITLES: Final[dict[tuple[Language, bool], str]] = {
    ("en", False): "The rules of the profile {profile}",
    ("en", True): "The rules of the profile {profile}, with changes (marked *)",
    ("de", False): "Die Regeln des Profils {profile}",
    ("de", True): "Die Regeln des Profils {profile}, mit Änderungen (markiert mit *)",
}


def rules_text(profile: str | Options, lang: Language = "en", options: Options | None = None) -> list[str]:
    """The rules in words: a title, then a sentence for every option, in the order of the rules.

    `profile` alone: the rules of that profile. With `options`: those in force, what differs from the profile marked.
    Options alone: compared with the profile that is nearest to them.
    """
    if isinstance(profile, Options):
        options, profile = profile, _nearest(profile)
    options = options or PROFILES[profile]
    differing = {name for name in OPTION_SPECS if getattr(options, name) != getattr(PROFILES[profile], name)}
    title = _TITLES[lang, bool(differing)].format(profile=profile)
    indent = " " * len(MARK)
    return [
        title,
        *((MARK if name in differing else indent) + sentence(name, options, lang) for name in OPTION_SPECS),
    ]


def sentence(name: str, options: Options, lang: Language = "en") -> str:
    """The sentence for one option's value in force."""
    value = getattr(options, name)
    sentences = SENTENCES[lang][name]
    return sentences[value] if value in sentences else sentences["n"].format(n=value)


def _nearest(options: Options) -> str:
    """The profile that differs least."""
    return min(PROFILES, key=lambda profile: len(overrides_of(profile, options)))
