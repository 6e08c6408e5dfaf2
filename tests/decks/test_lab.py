"""The deck lab: mirrored pairs on equal seeds, in shares that outlive a crash, bounded a person."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from collection.models.jobs import JobState
from decks.errors import LabBusy, NotForLab, NotYourDeck, UnknownRun
from decks.models import Deck, LabRun, LabShare
from decks.queries.lab import field_decks, run_shown, summary_of
from decks.services import lab
from decks.services.decks import create_deck
from decks.services.lab import Wanted
from decks.tasks import play_lab
from notices.models import Notice
from rules import deck_lab
from tests.games.examples import EXAMPLE, GAME, READY_CARDS, READY_DECKS
from tests.matches.conftest import api
from tests.matches.test_pages import logged_in
from tests.support.catalog import whole_catalog

pytestmark = pytest.mark.django_db
MODE = "tournament"
FIELD = [f"ready-{slug}" for slug in READY_DECKS[1:]]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small shares of matches that are over after a move; no worker but the test."""
    monkeypatch.setattr(lab, "PAIRS_A_SHARE", 2)
    monkeypatch.setattr(lab, "enqueue", lambda *_: True)
    whole_catalog()


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", display_name="Ann")


@pytest.fixture
def deck(ann: User) -> Deck:
    return create_deck(owner=ann, game=GAME, mode=MODE, name="Fire", cards=READY_CARDS)


def changed(deck: Deck) -> Deck:
    """A second version, that of another ready-made deck."""
    from decks.services.versions import keep

    keep(deck, EXAMPLE.starter_decks[READY_DECKS[1]].cards)
    deck.refresh_from_db()
    assert deck.version == 2
    return deck


def played(run: LabRun) -> LabRun:
    while lab.play_share(run_id=run.pk):
        pass
    run.refresh_from_db()
    return run


def wanted(**changes: Any) -> Wanted:
    return Wanted(**{"player": "random", "pairs": 5, "field": FIELD} | changes)


def test_a_run_tells_wins_matchups_cards_and_who_begins(ann: User, deck: Deck) -> None:
    run = played(lab.start(user=ann, deck=deck, wanted=wanted(player="greedy")))
    assert run.state == JobState.DONE
    assert run.done == run.total == 3
    report = run_shown(run)
    (version,) = report.versions
    assert (version.number, version.wins.count) == (1, 5)
    assert version.wins.low < version.wins.rate < version.wins.high
    assert (report.matches, report.total_matches, report.first.count) == (10, 10, 5)
    assert [row.versions[0].count for row in report.matchups] == [3, 2]
    weighted = sum(row.versions[0].rate * row.versions[0].count for row in report.matchups)
    assert weighted / 5 == pytest.approx(version.wins.rate, abs=0.001)
    assert (report.worth, report.better) == (None, "unclear")
    slugs = {slug for cards in READY_CARDS.values() for slug in cards}
    assert {card.slug for card in report.cards} <= slugs
    assert all(card.played.count <= card.drawn.count <= 10 for card in report.cards)
    assert any(card.played.count for card in report.cards)


def test_two_versions_meet_the_same_decks_with_the_same_seeds(ann: User, deck: Deck) -> None:
    changed(deck)
    run = played(lab.start(user=ann, deck=deck, wanted=wanted(other_version=1)))
    assert [row["number"] for row in run.versions] == [1, 2]
    report = run_shown(run)
    assert [row.wins.count for row in report.versions] == [5, 5]
    assert report.worth == pytest.approx(
        report.versions[1].wins.rate - report.versions[0].wins.rate, abs=0.001
    )
    assert report.worth_margin is not None and report.worth_margin > 0
    # Paired: a version against itself differs by nothing, whatever the luck.
    trial = lab.trial_of(run)
    twin = deck_lab.Trial(**{**vars(trial), "versions": (trial.versions[0],) * 2})
    for number in range(3):
        pairs = [deck_lab.play_pair(twin, version, number) for version in (0, 1)]
        assert pairs[0]["matches"] == pairs[1]["matches"]


def test_a_worker_that_dies_loses_its_share_alone(
    ann: User, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(lab, "_send", sent.append)
    run = lab.start(user=ann, deck=deck, wanted=wanted())
    assert lab.play_share(run_id=run.pk)
    first = LabShare.objects.get(run=run, number=0).results
    play = deck_lab.play_pair

    def killed(*args: Any) -> Any:
        play(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(deck_lab, "play_pair", killed)
    with pytest.raises(KeyboardInterrupt):
        lab.play_share(run_id=run.pk)
    monkeypatch.setattr(deck_lab, "play_pair", play)
    played(run)
    assert (run.state, run.done) == (JobState.WORKING, 2)
    old = timezone.now() - timedelta(minutes=10)
    LabShare.objects.update(claimed_at=old)
    LabRun.objects.update(touched_at=old)
    assert lab.restart_stalled() == [run.pk]
    assert lab.restart_stalled() == [], "once, not at each sweep"
    assert sent == [run.pk]
    assert played(run).state == JobState.DONE
    assert first is not None
    kept = summary_of(run, ()).versions[0].pairs
    for pair in first:
        assert kept[pair["number"]] == sum(match["share"] for match in pair["matches"]) / 2
    assert run_shown(run).versions[0].wins.count == 5


def test_two_workers_with_the_same_share_write_it_once(
    ann: User, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = lab.start(user=ann, deck=deck, wanted=wanted())
    play = deck_lab.play_pair

    def overtaken(*args: Any) -> Any:
        monkeypatch.setattr(deck_lab, "play_pair", play)
        LabShare.objects.update(claimed_at=None)  # taken for dead
        played(run)
        return play(*args)

    monkeypatch.setattr(deck_lab, "play_pair", overtaken)
    assert not lab.play_share(run_id=run.pk)
    run.refresh_from_db()
    assert (run.state, run.done) == (JobState.DONE, run.total)


def test_a_run_that_has_ended_keeps_its_numbers_and_no_shares(ann: User, deck: Deck) -> None:
    """However many matches were played, a page of many runs reads a few kilobytes of each."""
    changed(deck)
    run = lab.start(user=ann, deck=deck, wanted=wanted(player="greedy", pairs=6, other_version=1))
    while LabShare.objects.filter(run=run, results__isnull=True).count() > 1:
        lab.play_share(run_id=run.pk)
    last = LabShare.objects.get(run=run, results__isnull=True)
    pairs = [deck_lab.play_pair(lab.trial_of(run), *unit) for unit in last.units]
    last.results = pairs
    shares = [*LabShare.objects.filter(run=run, results__isnull=False), last]
    before = summary_of(run, shares)
    played(run)
    assert run.state == JobState.DONE
    assert not LabShare.objects.exists()
    notice = Notice.objects.unseen().get(person=ann, kind="job_finished")
    assert notice.text == f"Your lab run has ended: {deck.name}."
    assert summary_of(run, ()).to_json() == before.to_json()


def test_a_thinker_s_share_is_one_pair_of_one_version(
    ann: User, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In "make run" files wait for such a share; two versions would hold them twice as long."""
    changed(deck)
    run = lab.start(user=ann, deck=deck, wanted=wanted(player="thinker-1", other_version=1))
    assert {len(share.units) for share in LabShare.objects.filter(run=run)} == {1}
    assert run.total == 10


def test_waiting_shares_do_not_multiply(
    ann: User, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run is sent again only when its earlier messages can no longer be read."""
    run = lab.start(user=ann, deck=deck, wanted=wanted())
    play = deck_lab.play_pair

    def sweep_meanwhile(*args: Any) -> Any:
        assert lab.restart_stalled() == [], "a worker has just begun"
        return play(*args)

    LabRun.objects.update(touched_at=timezone.now() - lab.DEAD_AFTER)
    monkeypatch.setattr(deck_lab, "play_pair", sweep_meanwhile)
    assert lab.play_share(run_id=run.pk)
    run.refresh_from_db()
    assert run.state == JobState.WORKING
    assert 0 < play_lab.expires <= lab.DEAD_AFTER.total_seconds()


def test_it_can_be_cancelled_at_any_time(ann: User, deck: Deck) -> None:
    run = lab.start(user=ann, deck=deck, wanted=wanted())
    lab.play_share(run_id=run.pk)
    browser = logged_in(ann)
    page = browser.get(f"/lab/{run.slug}/").content.decode()
    assert "Match 4 of 10" in page
    assert 'hx-trigger="every 2s"' in page
    for _ in range(2):
        assert browser.post(f"/lab/{run.slug}/cancel/").status_code == 302
    assert not lab.play_share(run_id=run.pk)
    page = browser.get(f"/lab/{run.slug}/", headers={"HX-Request": "true"}).content.decode()
    assert "Cancelled after 4 of" in page
    assert "<html" not in page and "hx-trigger" not in page
    assert "of 2 pairs" in " ".join(page.split()), "what was played stays"
    assert not Notice.objects.filter(kind="job_finished").exists()
    lab.start(user=ann, deck=deck, wanted=wanted())  # there is room for another one


def test_one_at_a_time_bounded_a_day_and_only_with_one_s_own_decks(
    ann: User, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    sam = User.objects.create_user("sam")
    run = lab.start(user=ann, deck=deck, wanted=wanted())
    with pytest.raises(LabBusy, match="under way"):
        lab.start(user=ann, deck=deck, wanted=wanted())
    with pytest.raises(NotYourDeck):
        lab.start(user=sam, deck=deck, wanted=wanted())
    with pytest.raises(UnknownRun):
        lab.cancel(user=sam, slug=run.slug)
    assert logged_in(sam).get(f"/lab/{run.slug}/").status_code == 404
    assert logged_in(sam).get(f"/decks/{deck.slug}/lab/").status_code == 404
    played(run)
    monkeypatch.setattr(lab, "MAX_PER_DAY", 1)
    with pytest.raises(LabBusy, match="1 runs a day"):
        lab.start(user=ann, deck=deck, wanted=wanted())
    monkeypatch.setattr(lab, "MAX_PER_DAY", 9)
    monkeypatch.setattr(lab, "MAX_KEPT", 1)
    lab.start(user=ann, deck=deck, wanted=wanted())
    assert LabRun.objects.count() == 1, "the oldest went"
    other = create_deck(owner=ann, game=GAME, mode=MODE, name="Fire 2", cards=READY_CARDS)
    deck.delete()
    monkeypatch.setattr(lab, "MAX_PER_DAY", 3)
    with pytest.raises(LabBusy, match="3 runs a day"):  # its runs went, but were counted
        lab.start(user=ann, deck=other, wanted=wanted())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"player": "nobody"}, "No bot “nobody” plays this mode"),
        ({"pairs": 4}, "5 to 250 pairs"),
        ({"pairs": 26, "player": "thinker-1"}, "5 to 25 pairs"),
        ({"field": ["ready-nothing"]}, "cannot be chosen"),
        ({"field": [f"d{n}" for n in range(13)]}, "cannot be chosen"),
        ({"other_version": 1}, "two different versions"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(
    ann: User, deck: Deck, changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(NotForLab, match=sentence):
        lab.start(user=ann, deck=deck, wanted=wanted(**changes))
    form = {"player": "random", "pairs": "5", "field": FIELD, "other": ""} | {
        "other" if name == "other_version" else name: value for name, value in changes.items()
    }
    response = logged_in(ann).post(f"/decks/{deck.slug}/lab/", form)
    assert response.status_code == 422
    assert not LabRun.objects.exists()


def test_a_draft_that_cannot_be_played_is_refused(ann: User) -> None:
    cards = {section: dict(list(rows.items())[:1]) for section, rows in READY_CARDS.items()}
    draft = create_deck(owner=ann, game=GAME, mode=MODE, name="Draft", cards=cards)
    with pytest.raises(NotForLab, match="cannot be played against each other"):
        lab.start(user=ann, deck=draft, wanted=wanted())


def test_pages_and_api_do_the_same(ann: User, deck: Deck) -> None:
    browser = logged_in(ann)
    for page in (f"/decks/{deck.slug}/", f"/decks/{deck.slug}/build/"):
        assert f'href="/decks/{deck.slug}/lab/"' in browser.get(page).content.decode()
    address = f"/decks/{deck.slug}/lab/"
    form = browser.get(address).content.decode()
    assert "New run" in form and "Version 1" not in form
    token = {"player": "random", "pairs": "5", "field": FIELD, "other": ""}
    response = browser.post(address, token)
    run = LabRun.objects.get()
    assert response["Location"] == f"/lab/{run.slug}/"
    played(run)
    assert "10 of 10 matches" in " ".join(browser.get(address).content.decode().split())
    changed(deck)
    body = {"player": "random", "pairs": 5, "field": FIELD, "compare_with": 1}
    answer = api(ann).post(f"/api/decks/{deck.slug}/lab/", body, format="json")
    assert answer.status_code == 202, answer.json()
    slug = answer.json()["slug"]
    assert api(ann).post(f"/api/decks/{deck.slug}/lab/", body, format="json").status_code == 429
    played(LabRun.objects.get(slug=slug))
    data = api(ann).get(f"/api/lab/{slug}/").json()
    assert data["state"] == "done" and data["worth_margin"] > 0
    listed = api(ann).get(f"/api/decks/{deck.slug}/lab/").json()
    assert [row["slug"] for row in listed["runs"]] == [slug, run.slug]
    assert {row["origin"] for row in listed["field"]} == {"ready-made"}
    page = " ".join(browser.get(f"/lab/{slug}/").content.decode().split())
    assert "The change from version 1 to 2 is worth" in page
    assert api(ann).delete(f"/api/lab/{slug}/").status_code == 204


def test_a_field_has_ready_made_own_and_public_decks(ann: User, deck: Deck) -> None:
    sam = User.objects.create_user("sam", display_name="Sam")
    for owner, name, seen in (
        (ann, "Mine", "private"),
        (sam, "Open", "public"),
        (sam, "S", "private"),
    ):
        row = create_deck(owner=owner, game=GAME, mode=MODE, name=name, cards=READY_CARDS)
        Deck.objects.filter(pk=row.pk).update(visibility=seen)
    field = field_decks(ann, deck)
    assert [row.name for row in field if not row.ready_made] == ["Mine", "Open by Sam"]
    keys = [row.key for row in field if not row.ready_made]
    run = lab.start(user=ann, deck=deck, wanted=wanted(field=keys))
    assert [row.name for row in run_shown(run).matchups] == ["Mine", "Open by Sam"]
    assert "Sam" not in str(run.field), "the name goes with the account"
    User.objects.filter(pk=sam.pk).delete()
    assert [row.name for row in run_shown(run).matchups] == ["Mine", "Open"]


def test_the_worth_of_a_change_is_over_pairs_that_both_played() -> None:
    def pair(version: int, number: int, *shares: float) -> dict[str, Any]:
        match = {"first": 0.5, "drawn": [], "played": []}
        return {
            "version": version, "number": number,
            "matches": [match | {"share": share} for share in shares],
        }  # fmt: skip

    rows = [
        pair(0, 0, 0, 0),
        pair(1, 0, 1, 0),
        pair(0, 1, 0, 1),
        pair(1, 1, 1, 1),
        pair(0, 2, 1, 1),
    ]
    worth = deck_lab.summarise(2, 1, rows).worth
    assert worth is not None
    assert worth[0] == 0.5
    assert worth[1] > 0, "two pairs that agree are no certainty"
    assert deck_lab.summarise(2, 1, rows[:1]).worth is None
