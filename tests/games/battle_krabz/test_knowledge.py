"""Who may know what (section 4, BKZ-R-24, BKZ-R-36, BKZ-R-37), and that nobody can count along."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from games.battle_krabz.rulebook import BOOK
from games.battle_krabz.state import catalog
from rules.engine.cards import load_decks
from rules.engine.chance import Chance, named_seed
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt
from rules.testing.playouts import (
    Leak,
    card_ids,
    check_secrecy,
    check_take_backs,
    random_setup,
    seen_by,
)
from tests.games.battle_krabz.table import E, K, Table, lay, seat

GAME = rules.game("battle-krabz")
STARTERS = [
    load_decks("games.battle_krabz")[f"starter-{side}"].cards for side in ("krabz", "enemigos")
]


def new(**options: Any) -> Match:
    return GAME.new_match(
        "battle", seats=2, seed=named_seed("knowledge"), options=options, decks=STARTERS
    )


def chance(n: int = 0) -> Chance:
    return Chance(named_seed(f"chance {n}"))


# -- answers at the same time ----------------------------------------------------------------------


@pytest.mark.rules("BKZ-R-24", "BKZ-P-10")
@pytest.mark.parametrize("observer", [None, E])
def test_picking_a_hand_changes_nothing_that_others_see(observer: int | None) -> None:
    match = new()
    before = seen_by(match, observer, [])
    for n in range(6):
        events = match.play(K, match.prompts[K].options[n])
        assert [match.event_view(event, observer) for event in events] == [None]
        assert match.event_view(events[0], K) is not None
        assert seen_by(match, observer, []) == before, f"after pick {n + 1}"
    events = match.play(K, match.prompts[K].options[-1])
    seen = [match.event_view(event, observer) for event in events]
    assert seen == [None, {"kind": "hand_chosen", "seat": K, "count": 7}]
    assert match.view(observer)["players"][K]["ready"] is True
    assert match.view(observer)["players"][K]["hand"]["count"] == 0


@pytest.mark.rules("BKZ-R-24")
def test_each_seats_questions_are_counted_by_themselves() -> None:
    match = new()
    assert match.prompts[K].id == match.prompts[E].id == 1
    for n in range(3):
        match.play(K, match.prompts[K].options[n])
    assert (match.prompts[K].id, match.prompts[E].id) == (4, 1)
    match.play(E, match.prompts[E].options[0])
    assert (match.prompts[K].id, match.prompts[E].id) == (4, 2)


def sorting() -> Table:
    """K has won with two Warriors and a Booster, E with none left has only to draw."""
    t = lay(
        seat(
            "spark-snapper-gold kite-krab-gold marisol-silver",
            warriors="drum-krab-gold moss-krab-gold iglu-krab-gold eagle-krab-gold",
            supports="unicorn-silver malapple-silver twin-pearls-silver solara-silver",
        ),
        seat(
            "gloom-gull-silver root-rat-silver fallen-silver",
            warriors="static-sid-gold fallen-gold salt-bandit-gold gale-thief-gold",
            supports="grubba-silver nettle-hex-silver croak-nan-silver nocturna-silver",
        ),
    )
    t.take("deploy spark-snapper-gold", "deploy kite-krab-gold")
    t.take("deploy gloom-gull-silver", "deploy root-rat-silver", "boost marisol-silver")
    assert t.asked == {K: "sort", E: "replenish"}
    return t


@pytest.mark.rules("BKZ-R-24", "BKZ-B-57")
def test_sorting_and_replenishing_is_seen_by_nobody_until_both_are_ready() -> None:
    t = sorting()
    observers = (None, E)
    before = {who: seen_by(t.match, who, []) for who in observers}
    for move in ("keep", "recycle", "keep"):
        t.take(move, by=K)
        for who in observers:
            assert seen_by(t.match, who, []) == before[who], move
    own = t.match.view(K)["players"][K]["sorting"]
    assert [(row["card"]["slug"], row["keep"]) for row in own] == [
        ("spark-snapper-gold", True),
        ("kite-krab-gold", False),
        ("marisol-silver", True),
    ]
    t.take("take 3", by=K)
    view = t.match.view(E)["players"][K]
    assert view["ready"] is True
    assert (view["hand"]["count"], view["warrior_stack"]["count"]) == (0, 4)
    assert [row["slug"] for row in [view["booster"]]] == ["marisol-silver"]
    t.take("take 2", by=E)
    assert t.events("kept", "recycled")[0][0] == K
    t.done(E="deploy")


@pytest.mark.rules("BKZ-R-24")
def test_a_count_for_all_would_be_noticed() -> None:
    """The proof that the tests above can fail: prompts numbered across the seats."""
    match = new()
    before = seen_by(match, E, [])
    match.play(K, match.prompts[K].options[0])
    prompts, total = match.state.prompts, sum(match.state.asked)
    assert seen_by(match, E, []) == before
    prompts[E] = prompts[E]._replace(id=total + E)
    assert seen_by(match, E, []) != before


@pytest.mark.rules("BKZ-R-24")
def test_nothing_can_be_undone_while_both_are_asked() -> None:
    match = new()
    match.play(K, match.prompts[K].options[0])
    assert not match.can_undo(K)
    for _ in range(7):
        match.play(E, match.prompts[E].options[0])
    match.play(K, match.prompts[K].options[0])
    assert match.can_undo(K), "the other is ready: nothing hidden can happen any more"


@pytest.mark.rules("BKZ-B-22", "BKZ-R-16")
@pytest.mark.parametrize(
    ("held", "kind"), [("dewdrop-nell-silver", "boost"), ("maelstrom-gold", "deploy")]
)
def test_whether_the_other_holds_a_booster_is_not_found_out_by_taking_back(
    held: str, kind: str
) -> None:
    t = lay(
        seat("kite-krab-silver banjo-krab-silver dewdrop-nell-gold"),
        seat(f"flaman-krab-silver hail-hooligan-silver {held}"),
        attacker=K,
    )
    t.take("deploy kite-krab-silver", "done", "deploy flaman-krab-silver", "pass")
    assert not t.match.can_undo(K), "the other was asked, or passed over"
    t.done(E=kind)


def test_the_suite_notices_a_question_that_is_wrongly_declared_public(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for kind in BOOK.prompts.values():
        monkeypatch.setattr(kind, "public", True)
    setup = random_setup(GAME, GAME.modes["battle"], named_seed("wrongly public"))
    with pytest.raises(Leak, match="learns of hidden cards by taking back"):
        check_take_backs(setup)


# -- what is public --------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-R-36")
def test_what_is_public() -> None:
    t = sorting()
    for who in (None, K):
        enemigos = t.match.view(who)["players"][E]
        assert enemigos["deck"] == {"count": 11, "warriors": 7, "list": None, "cards": []}
        assert enemigos["hand"] == {"count": 1, "warriors": 1, "cards": []}
        assert enemigos["warrior_stack"]["count"] == enemigos["support_stack"]["count"] == 4
        assert [card["slug"] for card in enemigos["elimination"]["cards"]] == [
            *("gloom-gull-silver", "root-rat-silver"),
        ]
    own = t.match.view(E)["players"][E]
    assert [card["slug"] for card in own["hand"]["cards"]] == ["fallen-silver"]
    assert own["warrior_stack"]["known"] == []
    t.take("keep", "keep", "keep", "take 4", by=K).take("take 2", by=E)
    (event,) = [event for event in t.history if event[0] == "replenished" and event[1] == E]
    assert t.match.event_view(event, K) == {
        "kind": "replenished",
        "seat": E,
        "warriors": 2,
        "supports": 4,
        "count": 6,
        "known_cards": [],
    }
    assert len((t.match.event_view(event, E) or {})["cards"]) == 6
    t.done(E="deploy")


@pytest.mark.rules("BKZ-R-36")
def test_deck_lists_are_open_only_if_agreed() -> None:
    for option, listed in (("off", False), ("on", True)):
        match = new(open_lists=option)
        lists = [match.view(K)["players"][who]["deck"]["list"] for who in (K, E)]
        assert lists[K] == STARTERS[K]["main"]
        assert lists[E] == (STARTERS[E]["main"] if listed else None)
        assert match.view(K)["players"][E]["deck"]["cards"] == []


@pytest.mark.rules("BKZ-R-37", "BKZ-B-56")
def test_cards_that_have_been_seen_stay_known() -> None:
    t = sorting().take("keep", "recycle", "recycle", "take 2", by=K).take("take 2", by=E)
    krabz = t.match.view(E)["players"][K]
    assert [card["slug"] for card in krabz["hand"]["cards"]] == ["spark-snapper-gold"]
    assert krabz["hand"]["cards"][0]["known"] is True
    known = krabz["warrior_stack"]["known"]
    assert [(row["place"], row["card"]["slug"]) for row in known] == [(2, "kite-krab-gold")]
    known = krabz["support_stack"]["known"]
    assert [row["card"]["slug"] for row in known] == ["marisol-silver"]
    mine = t.match.view(K)["players"][K]["hand"]["cards"]
    assert [card["known"] for card in mine] == [True, *[False] * 6]
    t.done(E="deploy")


@pytest.mark.rules("BKZ-R-37")
def test_a_known_card_is_told_when_it_is_drawn() -> None:
    t = lay(
        seat("spark-snapper-gold kite-krab-gold", warriors="moss-krab-gold iglu-krab-gold"),
        seat("gloom-gull-silver", warriors="fallen-gold root-rat-gold"),
        known=["moss-krab-gold"],
    )
    t.take("deploy spark-snapper-gold", "done", "recycle")
    (event,) = [event for event in t.history if event[0] == "replenished" and event[1] == K]
    seen = t.match.event_view(event, E)
    assert seen is not None
    assert "cards" not in seen
    assert [card["slug"] for card in seen["known_cards"]] == [
        *("moss-krab-gold", "spark-snapper-gold"),
    ]
    t.done(E="deploy")


# -- questions that betray a hand ------------------------------------------------------------------


def one_each(hand: str, always_ask: str, **layout: Any) -> Table:
    return lay(
        seat(f"kite-krab-gold {hand}"),
        seat("cold-shoulder-silver mildew-maud-silver unicorn-silver"),
        always_ask=always_ask,
        **layout,
    )


@pytest.mark.rules("BKZ-R-35")
@pytest.mark.parametrize(
    ("hand", "known", "off", "on"),
    [
        ("marisol-silver", [], ["boost"], ["boost", "power"]),
        ("unicorn-silver", [], ["power"], ["boost", "power"]),
        ("", [], [], []),
        ("unicorn-silver", ["unicorn-silver"], ["power"], ["power"]),
        (
            "marisol-silver unicorn-silver",
            ["marisol-silver"],
            ["boost", "power"],
            ["boost", "power"],
        ),
    ],
    ids=["a Booster", "a Power Card", "neither", "known to all", "one of them known"],
)
def test_always_ask_asks_who_may_hold_a_support_card(
    hand: str, known: list[str], off: list[str], on: list[str]
) -> None:
    for option, expected in (("off", off), ("on", on)):
        t = one_each(hand, option, known=known)
        kinds = []
        while t.state.phase in ("deployment", "boosters", "powers"):
            ((who, prompt),) = t.match.prompts.items()
            if who == K and prompt.kind in ("boost", "power"):
                kinds.append(prompt.kind)
                if prompt.kind == "boost" and "marisol" not in hand:
                    assert t.offered() == ["pass"]
            quiet = "done" if prompt.kind == "deploy" else "pass"
            t.take(quiet if quiet in t.offered() else t.offered()[0])
        assert kinds == expected
        t.done(**{"KE"[who]: kind for who, kind in t.asked.items()})


def told_and_asked(match: Match, who: int, move: Move) -> tuple[list[Any], list[Any]]:
    """Which cards the move brings to the table, and who is asked what then."""
    twin = match.clone()
    played = ("deployed", "booster_played", "power_played")
    # In words: a number may be another card after a re-deal.
    seen = [twin.narrate(event, None) for event in twin.play(who, move) if event[0] in played]
    return seen, [(other, prompt.kind) for other, prompt in sorted(twin.prompts.items())]


@pytest.mark.rules("BKZ-R-35")
@pytest.mark.parametrize("option", ["on", "off"])
def test_with_always_ask_no_question_tells_what_a_hand_holds(option: str) -> None:
    betrayed = seen = 0
    for number in range(3):
        match = GAME.new_match(
            "battle",
            seats=2,
            seed=named_seed(f"always {number}"),
            options={"always_ask": option, "target": 6},
            decks=STARTERS,
        )
        players = chance(number)
        while match.outcome is None:
            who = min(match.prompts)
            options = match.prompts[who].options
            move = options[players.pick(len(options))]
            if match.state.phase in ("deployment", "boosters", "powers"):
                views, prompts = told_and_asked(match, who, move)
                for n in range(3):
                    told_else, else_asked = told_and_asked(match.redeal(who, chance(n)), who, move)
                    asks = {kind for _, kind in prompts + else_asked}
                    if views == told_else and asks & {"boost", "power"}:
                        seen += 1
                        betrayed += prompts != else_asked
            match.play(who, move)
    assert seen > 30
    assert (betrayed > 0) is (option == "off")


# -- the re-deal -----------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-R-36", "BKZ-R-37")
def test_a_redeal_may_give_the_opponent_other_cards_but_not_other_numbers() -> None:
    match = new(open_lists="off")
    faces = set()
    for n in range(5):
        twin = match.redeal(K, chance(n))
        slugs = [twin.state.cards.slugs[card] for card in twin.state.cards_of(E)]
        assert len(set(slugs)) == 56, "no duplicates"
        assert {catalog()[slug].attributes.get("side", "E") for slug in slugs} == {"E"}
        assert twin.view(K) == match.view(K)
        faces.update(slugs)
    assert len(faces) > 56
    assert faces - set(STARTERS[E]["main"])
    known = new(open_lists="on").redeal(K, chance())
    assert {known.state.cards.slugs[c] for c in known.state.cards_of(E)} == set(STARTERS[E]["main"])


@pytest.mark.rules("BKZ-R-24")
def test_a_redeal_makes_up_how_far_the_other_has_come() -> None:
    match = new()
    for n in range(3):
        match.play(E, match.prompts[E].options[n])
    picked = {len(match.redeal(K, chance(n)).state.hands[E]) for n in range(30)}
    assert picked == set(range(7))

    t = sorting().take("keep", by=K)
    answered = {tuple(t.match.redeal(E, chance(n)).state.choices[K]) for n in range(60)}
    assert {len(choices) for choices in answered} == {0, 1, 2, 3}
    assert (0,) in answered
    t.concede(K).done()


@pytest.mark.rules("BKZ-R-09", "BKZ-R-37")
def test_cards_shown_for_the_first_attack_keep_their_faces_in_a_redeal() -> None:
    match = new(first_attacker="hp_draw")
    while match.state.phase == "hands":
        who = min(match.prompts)
        match.play(who, match.prompts[who].options[20])
    listed = match.state.shown
    assert len(listed) == 2
    slugs = [match.state.cards.slugs[card] for card in listed]
    for n in range(5):
        twin = match.redeal(K, chance(n))
        assert [twin.state.cards.slugs[card] for card in listed] == slugs
    assert not card_ids(match.view(K)) & set(listed[1:])
    for who in (None, K, E):
        check_secrecy(match, who, chance())


def test_a_prompt_of_another_seat_is_asked_after_a_redeal() -> None:
    t = sorting()
    for n in range(10):
        twin = t.match.redeal(E, chance(n))
        prompt: Prompt = twin.prompts[K]
        assert prompt.kind in ("sort", "replenish")
        assert len(prompt.options) > 1
    t.concede(K).done()
