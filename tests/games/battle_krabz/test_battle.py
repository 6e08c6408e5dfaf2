"""Battle Mode beyond the worked scenarios: preparation, every Power Card, short stacks, the end."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from games.battle_krabz import moves
from games.battle_krabz.state import HAND, WARRIOR, catalog
from rules.engine.cards import load_decks
from rules.engine.chance import Chance, named_seed
from rules.engine.errors import BadSetup, IllegalMove
from rules.engine.match import Match
from rules.testing.playouts import playout, random_setup
from tests.games.battle_krabz.table import E, K, Table, lay, seat

GAME = rules.game("battle-krabz")
DECKS = load_decks("games.battle_krabz")
STARTERS = [DECKS[f"starter-{side}"].cards for side in ("krabz", "enemigos")]


def new(*, seats: int = 2, decks: Any = None, name: str = "new", **options: Any) -> Match:
    return GAME.new_match(
        "battle",
        seats=seats,
        seed=named_seed(name),
        options=options,
        decks=STARTERS if decks is None else decks,
    )


def pick_hands(match: Match) -> list[Any]:
    """Both take the first cards offered; the events of the last pick."""
    events: list[Any] = []
    while match.state.phase == "hands":
        who = min(match.prompts)
        events = match.play(who, match.prompts[who].options[0])
    return events


# -- preparation -----------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-P-01", "BKZ-R-38")
@pytest.mark.parametrize("seats", [1, 3, 4])
def test_battle_mode_is_for_exactly_two(seats: int) -> None:
    with pytest.raises(BadSetup, match="for 2 seats"):
        new(seats=seats, decks=STARTERS * 2)


@pytest.mark.rules("BKZ-P-05", "BKZ-P-07", "BKZ-D-10", "BKZ-D-11", "BKZ-R-07")
def test_illegal_decks_do_not_start() -> None:
    with pytest.raises(BadSetup, match="Every seat brings a deck"):
        new(decks=())
    with pytest.raises(BadSetup, match="Both decks are Krabz"):
        new(decks=[STARTERS[0]] * 2)
    assert new(decks=[STARTERS[0]] * 2, factions="any").state.side(E) == 0
    with pytest.raises(BadSetup, match="Seat 1: Too few Warriors for the winning target: 36"):
        new(target=40)
    with pytest.raises(BadSetup, match=r"Kite Krab \(Silver\): 2 in the deck"):
        new(decks=[{"main": {**STARTERS[0]["main"], "kite-krab-silver": 2}}, STARTERS[1]])
    small = {"main": {"fallen-silver": 1, "unicorn-silver": 1}}
    assert new(decks=[STARTERS[0], small], target=1).state.hands[E]


@pytest.mark.rules("BKZ-P-10", "BKZ-P-13", "BKZ-R-24")
def test_both_choose_their_hands_at_the_same_time() -> None:
    match = new()
    assert {who: prompt.kind for who, prompt in match.prompts.items()} == {
        K: "choose-hand",
        E: "choose-hand",
    }
    assert len(match.prompts[K].options) == 56
    for _ in range(HAND):
        match.play(E, match.prompts[E].options[0])
    assert list(match.prompts) == [K]
    assert match.view(K)["players"][E]["ready"] is True
    assert match.state.phase == "hands"
    pick_hands(match)
    assert [len(hand) for hand in match.state.hands] == [7, 7]
    assert match.state.phase == "deployment"


@pytest.mark.rules("BKZ-R-10", "BKZ-P-11", "BKZ-P-12", "BKZ-R-09")
def test_the_order_of_random_draws() -> None:
    match = new(name="draws")
    events = pick_hands(match)
    shuffles = [event for event in events if event[0] == "shuffled"]
    assert [(event[1], event[2]) for event in shuffles] == [
        *((K, "warrior"), (K, "support"), (E, "warrior"), (E, "support")),
    ]
    # again by hand: the numbering of both decks, four stacks, the coin
    chance = Chance(named_seed("draws"))
    for _ in (K, E):
        chance.shuffle(list(range(56)))
    for _event, _seat, _stack, cards in shuffles:
        again = sorted(cards, key=match.state.cards.order.__getitem__)
        chance.shuffle(again)
        assert tuple(again) == cards
    assert match.state.attacker == chance.pick(2)
    assert match.state.chance.position == chance.position
    top = shuffles[0][3][0]
    assert match.state.warriors[K][-1] == top, "the first of the shuffled is the top card"

    position = match.state.chance.position
    while match.outcome is None:
        who = min(match.prompts)
        match.play(who, match.prompts[who].options[-1])
    assert match.state.chance.position == position, "nothing after that is random"


@pytest.mark.rules("BKZ-R-09", "BKZ-P-12")
@pytest.mark.parametrize(("option", "attacker"), [("seat_1", K), ("seat_2", E)])
def test_the_first_attacker_by_agreement(option: str, attacker: int) -> None:
    match = new(first_attacker=option)
    events = pick_hands(match)
    assert ("first_attacker", attacker, option, ()) in events
    assert match.state.attacker == attacker


@pytest.mark.rules("BKZ-R-11", "BKZ-P-03")
def test_target_all_is_a_number_of_its_own_for_each() -> None:
    small = {"main": {"fallen-silver": 1, "root-rat-silver": 1, "unicorn-silver": 1}}
    match = new(decks=[STARTERS[0], small], target="all")
    assert match.state.targets == [2, 36]
    assert new(target=10).state.targets == [10, 10]

    t = lay(
        seat("spark-snapper-gold kite-krab-gold", warriors="kite-krab-silver"),
        seat("gloom-gull-silver", lost=1),
        target="all",
    )
    t.take("deploy spark-snapper-gold", "done")
    assert t.result == ((K,), (E,), "target")
    t.done()


# -- the Battle ------------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-B-01", "BKZ-B-03", "BKZ-B-02", "BKZ-B-60")
def test_a_battle_has_four_phases_and_then_the_roles_swap() -> None:
    t = lay(
        seat("kite-krab-gold dewdrop-nell-silver", warriors="moss-krab-gold moss-krab-silver"),
        seat(
            "fallen-silver nettle-hex-silver malapple-silver",
            warriors="root-rat-gold root-rat-silver",
        ),
    )
    phases = [t.match.view(None)["phase"]]
    order = ["boost nettle-hex-silver", "boost dewdrop-nell-silver"]
    for move in order:
        t.take(move)
        phases.append(t.match.view(None)["phase"])
    assert phases == ["boosters", "boosters", "powers"]
    t.take("play malapple-silver")
    assert t.match.view(None)["phase"] == "stacks"
    kinds = [event[0] for event in t.history]
    order = ["battle_started", "deployed", "booster_played", "battle_won", "power_played"]
    places = [kinds.index(kind) for kind in [*order, "eliminated"]]
    assert places == sorted(places)
    t.take("recycle")
    assert t.events("battle_started") == [(K, 1, 0), (E, 2, 0)]
    t.done(E="deploy")


def loser(powers: str, foes: str = "") -> Table:
    """K has lost with three Warriors against three and holds these Power Cards."""
    line = "eagle-krab-silver kiln-krab-gold banjo-krab-silver"
    enemies = "flaman-krab-gold bramble-bully-silver cold-shoulder-platinum"
    t = lay(seat(f"{line} {powers}"), seat(f"{enemies} {foes}"))
    for card in (*line.split(), *enemies.split()):
        t.take(f"deploy {card}")
    assert t.events("battle_won")[0][0] == E
    return t


@pytest.mark.rules("BKZ-C-12", "BKZ-R-21", "BKZ-B-45", "BKZ-B-40")
@pytest.mark.parametrize(
    ("power", "moves", "mine", "theirs"),
    [
        ("unicorn-gold", [], "eagle kiln banjo", "flaman bramble cold"),
        ("healing-spring-holo", ["target kiln-krab-gold"], "kiln", "flaman bramble cold"),
        (
            "twin-pearls-silver",
            ["target banjo-krab-silver", "target eagle-krab-silver"],
            "eagle banjo",
            "flaman bramble cold",
        ),
        ("malapple-gold", ["target bramble-bully-silver"], "", "flaman cold"),
        (
            "hornet-jar-silver",
            ["target bramble-bully-silver", "target flaman-krab-gold"],
            "",
            "cold",
        ),
        ("maelstrom-silver", [], "", ""),
        ("kinship-horn-silver", ["domain grove"], "banjo", "flaman bramble cold"),
        ("prism-shell-silver", ["colour silver"], "eagle banjo", "flaman bramble cold"),
        (
            "dawn-bell-silver",
            ["target eagle-krab-silver", "target kiln-krab-gold"],
            "eagle kiln",
            "flaman bramble cold",
        ),
        ("dusk-bell-silver", ["target flaman-krab-gold"], "", "bramble cold"),
        (
            "turncoat-tide-silver",
            ["target eagle-krab-silver", "target flaman-krab-gold"],
            "eagle",
            "bramble cold",
        ),
        ("cursed-compass-silver", [], "", "flaman cold"),
    ],
)
def test_every_power_card_of_the_loser(
    power: str, moves: list[str], mine: str, theirs: str
) -> None:
    # The opponent holds an answer to everything, so that the Warriors still lie there to be seen.
    t = loser(power, "unicorn-silver maelstrom-gold").take(f"play {power}", *moves)
    assert t.asked == {E: "power"}
    assert [card.split("-")[0] for card in t.standing(K).split()] == mine.split()
    assert [card.split("-")[0] for card in t.standing(E).split()] == theirs.split()
    t.done(E="power")


@pytest.mark.rules("BKZ-R-21", "BKZ-C-11")
def test_cursed_compass_asks_where_hp_are_equal() -> None:
    t = lay(
        seat("kite-krab-silver cursed-compass-silver"),
        seat("hail-hooligan-silver gale-thief-silver flaman-krab-silver unicorn-gold"),
        attacker=E,
    )
    t.take("deploy hail-hooligan-silver", "deploy gale-thief-silver")
    t.take("deploy flaman-krab-silver", "play cursed-compass-silver")
    assert t.asked == {K: "power-target"}, "180 HP each"
    assert len(t.offered()) == 3
    t.take("target gale-thief-silver")
    assert t.standing(E) == "hail-hooligan-silver flaman-krab-silver"
    t.done(E="power")


@pytest.mark.rules("BKZ-R-18", "BKZ-R-19", "BKZ-B-42", "BKZ-B-44")
def test_the_winner_answers_only_with_what_does_something() -> None:
    answers = "healing-spring-silver malapple-silver turncoat-tide-gold prism-shell-gold"
    t = loser("healing-spring-silver malapple-silver", answers)
    t.take("play healing-spring-silver", "target kiln-krab-gold")
    assert t.offered() == [
        "play malapple-silver",
        "play turncoat-tide-gold",
        "play prism-shell-gold",
        "pass",
    ]
    t.take("play turncoat-tide-gold")
    assert t.events("downed")[-1][0] == K
    assert t.asked[E] == "sort", "nobody answers the answer"
    assert t.state.elimination[K][-1] == t.events("power_played")[0][1]
    t.done(E="sort")


@pytest.mark.rules("BKZ-B-51", "BKZ-R-20", "BKZ-R-23", "BKZ-B-54")
def test_eliminations_come_in_their_order_and_revived_warriors_are_sorted() -> None:
    t = lay(
        seat(
            "kite-krab-silver moss-krab-silver iglu-krab-silver dewdrop-nell-silver "
            "healing-spring-silver"
        ),
        seat("flaman-krab-gold fallen-silver cinder-lou-silver elara-bad-faerie-silver"),
    )
    for card in ("kite-krab-silver", "moss-krab-silver", "iglu-krab-silver"):
        t.take(f"deploy {card}")
    for card in ("flaman-krab-gold", "fallen-silver", "cinder-lou-silver"):
        t.take(f"deploy {card}")
    t.take("boost dewdrop-nell-silver", "target iglu-krab-silver")
    t.take("boost elara-bad-faerie-silver", "play healing-spring-silver")
    t.take("target moss-krab-silver")
    assert t.eliminated(K) == (
        "kite-krab-silver iglu-krab-silver dewdrop-nell-silver healing-spring-silver"
    )
    assert t.eliminated(E) == ""
    assert t.score == "0-2"
    assert t.asked == {K: "sort", E: "sort"}
    t.done(K="sort", E="sort")


# -- stacks ----------------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-R-08", "BKZ-B-58", "BKZ-B-59")
def test_short_stacks_give_what_they_have() -> None:
    t = lay(
        seat("spark-snapper-gold kite-krab-gold", supports="malapple-silver unicorn-silver"),
        seat("gloom-gull-silver root-rat-silver", warriors="fallen-silver"),
        battle_limit=3,
    )
    t.take("deploy spark-snapper-gold", "done", "deploy root-rat-silver")
    assert t.asked == {K: "sort"}
    t.take("recycle")
    assert t.hand(E) == "gloom-gull-silver fallen-silver", "drawn without a prompt"
    assert t.hand(K) == "kite-krab-gold spark-snapper-gold malapple-silver unicorn-silver"
    assert t.events("replenished")[0][:3] == (K, 1, 2)
    assert t.state.warriors[K] == t.state.supports[K] == []
    t.done(E="deploy")


@pytest.mark.rules("BKZ-R-26", "BKZ-R-25")
def test_recycled_cards_can_be_drawn_again_at_once() -> None:
    t = lay(
        seat(
            "spark-snapper-gold kite-krab-gold eagle-krab-gold moss-krab-gold iglu-krab-gold "
            "unicorn-gold malapple-gold"
        ),
        seat("gloom-gull-silver root-rat-silver"),
    )
    t.take("deploy spark-snapper-gold", "deploy kite-krab-gold", "done")
    t.take("deploy gloom-gull-silver", "done")
    t.take("recycle", "recycle")
    assert t.hand(K).endswith("spark-snapper-gold kite-krab-gold"), "the last one lies below"
    t.done(E="deploy")


@pytest.mark.rules("BKZ-R-30", "BKZ-B-04", "BKZ-R-12")
@pytest.mark.parametrize("number", range(6))
def test_nobody_starts_a_battle_without_a_warrior(number: int) -> None:
    setup = random_setup(GAME, GAME.modes["battle"], named_seed(f"warriors {number}"))
    for match, _ply, events in playout(setup):
        started = [event for event in events if event[0] == "battle_started"]
        if not started or match.outcome is not None:
            continue
        s = match.state
        for who in (K, E):
            deployed = [card for card in s.line[who] if s.cards.kind[card] == WARRIOR]
            assert s.has_warrior(who) or deployed
            assert len(s.hands[who]) + len(s.line[who]) <= HAND


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-R-28", "BKZ-R-33", "BKZ-P-02")
def test_the_battle_limit_cuts_short() -> None:
    t = lay(
        seat("spark-snapper-gold", lost=1),
        seat("gloom-gull-silver", lost=2),
        battle_number=9,
        battle_limit=9,
    )
    t.take("deploy spark-snapper-gold")
    assert t.result == ((K,), (E,), "battle_limit")
    t.done()


@pytest.mark.rules("BKZ-R-31", "BKZ-B-71")
def test_a_battle_that_is_not_tied_sets_the_count_to_zero() -> None:
    t = lay(
        seat("spark-snapper-gold kite-krab-gold", warriors="kite-krab-silver"),
        seat("gloom-gull-silver", warriors="fallen-silver root-rat-silver"),
        ties=4,
    )
    t.take("deploy spark-snapper-gold", "done")
    assert t.state.ties == 0
    t.concede(E).done()


def deciding(decider: int, foes: str = "root-rat-silver fallen-silver") -> Table:
    return lay(
        seat("drum-krab-silver kite-krab-gold", lost=3),
        seat(foes, lost=3),
        target=3,
        battle_number=7,
        decider=decider,
    )


@pytest.mark.rules("BKZ-R-29")
def test_the_third_tied_decider_in_a_row_is_a_draw() -> None:
    t = deciding(1).take("deploy drum-krab-silver", "done", "deploy root-rat-silver")
    assert t.events("battle_tied") == [(80,)]
    assert t.state.decider == 2
    assert t.state.ties == 0
    assert t.hand(K) == "kite-krab-gold drum-krab-silver", "recycled and drawn again"
    assert t.events("battle_started")[-1] == (E, 8, 2)
    t.done(E="deploy")

    t = deciding(3).take("deploy drum-krab-silver", "done", "deploy root-rat-silver")
    assert t.result == ((K, E), "tied_match")
    t.done()


@pytest.mark.rules("BKZ-R-29")
@pytest.mark.parametrize(
    ("mine", "theirs", "ranking"),
    [
        ("kite-krab-gold", "nettle-hex-silver", ((K,), (E,))),
        ("malapple-silver", "fallen-silver", ((E,), (K,))),
        ("malapple-silver", "nettle-hex-silver", ((K, E),)),
    ],
)
def test_a_decider_without_warriors(mine: str, theirs: str, ranking: Any) -> None:
    t = lay(seat(mine, lost=3), seat(theirs, lost=3), target=3, battle_number=7, decider=1)
    assert t.result == (*ranking, "no_warriors")
    t.done()


@pytest.mark.rules("BKZ-R-34")
@pytest.mark.parametrize("who", [K, E])
def test_conceding_lets_the_opponent_win(who: int) -> None:
    match = new()
    match.concede(who)
    assert match.outcome is not None
    assert match.outcome.winners == (1 - who,)
    assert match.outcome.reason == "concession"
    t = loser("unicorn-gold").concede(who)
    assert t.result == ((1 - who,), (who,), "concession")
    with pytest.raises(IllegalMove):
        t.match.concede(1 - who)
    t.done()


# -- timeouts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [5])
def test_timeouts_play_quietly(moves: int) -> None:
    match = new(name="quiet")
    seen: dict[str, str] = {}
    for _ in range(2_000):
        if match.outcome is not None:
            break
        who = min(match.prompts)
        kind, move = match.prompts[who].kind, match.default_move(who)
        seen.setdefault(kind, move.verb)
        match.play(who, move)
    assert match.outcome is not None
    assert seen.items() >= {"boost": "pass", "power": "pass", "sort": "keep"}.items()
    assert "propose-cut-short" not in seen.values()


def test_a_surviving_card_is_kept_or_recycled() -> None:
    assert set(moves.SORT) == {moves.KEEP, moves.RECYCLE}
    assert len(catalog()) == 246


def test_support_is_a_window_and_who_is_downed_is_aimed_at() -> None:
    """Standing orders go by this: the Loser lets it pass, or hits the Winner."""
    t = loser("malapple-silver", "unicorn-silver maelstrom-gold")
    prompt = t.match.prompts[K]
    assert t.match.window(prompt) == moves.PASS and moves.PASS in prompt.options
    assert t.match.window(prompt._replace(kind="deploy")) is None
    events = t.match.play(K, t.match.parse(K, "play malapple-silver"))
    assert not any(t.match.aims_at(event, E) for event in events), "it asks for a target"
    hit = t.match.play(K, t.match.parse(K, "target bramble-bully-silver"))
    assert [event[0] for event in hit if t.match.aims_at(event, E)] == ["downed"]
    assert not any(t.match.aims_at(event, K) for event in hit)
    t.done(E="power")
