"""Where the chance of tables comes from, and what tables are called."""

from __future__ import annotations

from tests.server.house import open_house
from una_server.seeds import NumberedSeeds, SecretSeeds, short_id


def test_numbered_seeds_repeat_and_secret_ones_do_not() -> None:
    assert NumberedSeeds(7).seed_for(1) == NumberedSeeds(7).seed_for(1)
    assert len({NumberedSeeds(n).seed_for(k) for n in range(9) for k in range(9)}) == 81
    assert SecretSeeds().seed_for(1) != SecretSeeds().seed_for(1)
    assert len(SecretSeeds().seed_for(1)) == 32


def test_ids_are_short_and_hold_nothing_ambiguous() -> None:
    ids = {short_id(NumberedSeeds(1).seed_for(n), 3) for n in range(500)}
    assert len(ids) > 480
    assert not set("".join(ids)) & set("01oil")


async def test_the_same_seed_deals_the_same_cards() -> None:
    hands = []
    for _ in range(2):
        async with open_house({"seed": 42}) as house:
            table, (ann, _ben) = await house.table("Ann", "Ben")
            await ann.ask("start", table=table)
            hands.append((table, (await ann.event("dealt"))["e"]["hand"]))
    assert hands[0] == hands[1]
