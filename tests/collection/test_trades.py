"""Trades: offers, answers, permissions, and cards that several people are after."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.errors import MembersOnly
from accounts.models import Friendship, User
from accounts.services.blocks import block
from accounts.services.friends import accept_friend, request_friend
from accounts.services.guests import create_guest
from collection.errors import NotEnoughCards, NotFound, TooLate, Unacceptable
from collection.models import (
    Card,
    Collection,
    Holding,
    LedgerRow,
    Reason,
    Trade,
    TradeState,
    Visibility,
)
from collection.queries import trades as queries
from collection.queries.ledger import differences
from collection.services import ledger
from collection.services import trades as services
from collection.services.catalog import Synced
from collection.services.holdings import set_visibility
from collection.tasks import sweep
from core.errors import NotAllowed
from notices.models import Notice
from tests.games.examples import CHARACTER_SLUGS, CLAW, FLAME, GAME, STINGER

pytestmark = pytest.mark.django_db


def key(slug: str) -> int:
    return Card.objects.get(slug=slug).pk


def person(name: str, **cards: int) -> User:
    user = User.objects.create_user(name, display_name=name.capitalize())
    keys = {key(f"{CHARACTER_SLUGS}-red-{word}"): count for word, count in cards.items()}
    ledger.transfer(
        key=f"grant:{name}", reason=Reason.GRANT, movements=ledger.digital_to(user, keys)
    )
    Collection.objects.create(owner=user, visibility=Visibility.PUBLIC)
    return user


@pytest.fixture
def ada(catalog: Synced) -> User:
    return person("ada", claw=2)


@pytest.fixture
def ben(catalog: Synced) -> User:
    return person("ben", flame=1, stinger=1)


def offer(ada: User, ben: User, **changes: object) -> Trade:
    values: dict[str, object] = {
        "proposer": ada,
        "partner": ben,
        "gives": {key(CLAW): 1},
        "takes": {key(FLAME): 1},
        "token": "form-1",
    }
    return services.offer_trade(**(values | changes))  # type: ignore[arg-type]


def has(user: User, slug: str) -> int:
    return sum(
        Holding.objects.filter(owner=user, card__slug=slug).values_list("digital", flat=True)
    )


def told(user: User) -> list[tuple[str, str]]:
    """A person's open trade notifications: the text and the link."""
    open_ones = Notice.objects.open().filter(person=user, kind="trade").order_by("pk")
    return list(open_ones.values_list("text", "link"))


class TestNotices:
    """Whoever is asked hears of it, as long as it is so; and whoever asked, of the answer."""

    @pytest.mark.parametrize(
        ("end", "answer"),
        [
            ("accept", "Ben accepted your trade: Red Claw for Red Flame."),
            ("decline", "Ben declined your trade: Red Claw for Red Flame."),
            ("cancel", ""),
            ("expire", ""),
        ],
    )
    def test_from_the_offer_to_its_end(
        self, client: Client, ada: User, ben: User, end: str, answer: str
    ) -> None:
        trade = offer(ada, ben)
        address = trade.get_absolute_url()
        assert told(ben) == [
            ("Ada offers you a trade: Red Claw for Red Flame.", address)
        ] and not told(ada)
        client.force_login(ben)
        assert client.get(address).status_code == 200
        if end == "expire":
            Trade.objects.update(expires_at=timezone.now())
            sweep()
        else:
            by = ada if end == "cancel" else ben
            getattr(services, f"{end}_trade")(trade=trade, user=by)
            getattr(services, f"{end}_trade")(trade=trade, user=by)
        assert not told(ben) and told(ada) == ([(answer, address)] if answer else [])

    def test_a_counter_offer_takes_the_place(self, ada: User, ben: User) -> None:
        first = offer(ada, ben)
        sides = {"gives": {key(FLAME): 1}, "takes": {key(CLAW): 1}}
        second = offer(ben, ada, answer_to=first, token="form-2", **sides)
        assert told(ada) == [
            ("Ben makes a counter-offer: Red Flame for Red Claw.", second.get_absolute_url())
        ]
        assert not told(ben)

    def test_with_the_offer_or_not_at_all(self, ada: User, ben: User) -> None:
        with pytest.raises(NotEnoughCards):
            offer(ada, ben, takes={key(FLAME): 2})
        with transaction.atomic():
            offer(ada, ben)
            transaction.set_rollback(True)
        assert not told(ben)
        trade = offer(ada, ben)
        with transaction.atomic():
            services.decline_trade(trade=trade, user=ben)
            transaction.set_rollback(True)
        assert told(ben) and not told(ada)


class TestOffering:
    def test_an_offer_moves_nothing(self, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        assert trade.state == TradeState.OPEN
        assert (has(ada, CLAW), has(ben, FLAME)) == (2, 1)
        assert queries.trades_of(ben).received == [trade]
        assert queries.trades_of(ada).offered == [trade]
        assert queries.waiting_count(ben) == 1 and queries.waiting_count(ada) == 0

    def test_the_same_form_twice_is_one_offer(self, ada: User, ben: User) -> None:
        assert offer(ada, ben) == offer(ada, ben)
        assert Trade.objects.count() == 1
        assert offer(ada, ben, token="form-2") != offer(ada, ben)

    @pytest.mark.parametrize(
        "other",
        [
            {"gives": {}},
            {"takes": {}},
            {"gives": "twice"},
            {"message": "Please"},
            {"days": 14},
            {"partner": "cleo"},
        ],
        ids=str,
    )
    def test_another_offer_from_the_same_form_is_none(
        self, ada: User, ben: User, other: dict[str, object]
    ) -> None:
        terms = dict(other)
        if "partner" in terms:
            terms["partner"] = person("cleo", flame=1, stinger=1)
        if terms.get("gives"):
            terms["gives"] = {key(CLAW): 2}
        first = offer(ada, ben)
        with pytest.raises(Unacceptable, match="already used for another offer") as refused:
            offer(ada, ben, **terms)
        assert refused.value.extra["trade"] == first.slug
        assert Trade.objects.get() == first == offer(ada, ben)

    def test_a_token_is_never_cut(self, ada: User, ben: User) -> None:
        assert offer(ada, ben, token="x" * 40).token == "x" * 40
        for token in ("x" * 41, ""):
            with pytest.raises(Unacceptable, match="Invalid form token"):
                offer(ada, ben, token=token)

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"gives": {}, "takes": {}}, "Choose at least one card"),
            ({"days": 4}, "can expire after 3, 7, 14 days, not 4"),
        ],
    )
    def test_nonsense(self, ada: User, ben: User, changes: dict[str, object], words: str) -> None:
        with pytest.raises(Unacceptable, match=words):
            offer(ada, ben, **changes)
        assert not Trade.objects.exists()

    def test_only_cards_that_are_there(self, ada: User, ben: User) -> None:
        with pytest.raises(NotEnoughCards, match="Ada has 2 digital copies of Red Claw, not 3"):
            offer(ada, ben, gives={key(CLAW): 3})
        with pytest.raises(NotEnoughCards, match="Ben has 0 digital copies of Red Claw, not 1"):
            offer(ada, ben, takes={key(CLAW): 1})

    def test_cards_on_paper_cannot_be_traded(self, ada: User, ben: User) -> None:
        paper = ledger.physical_of(ada, {key(STINGER): 4})
        ledger.transfer(key="hand:1", reason=Reason.HAND, movements=paper)
        with pytest.raises(NotEnoughCards, match="Only digital copies"):
            offer(ada, ben, gives={key(STINGER): 1})

    def test_a_private_collection_gets_no_offers_but_from_friends(
        self, ada: User, ben: User
    ) -> None:
        Collection.objects.filter(owner=ben).update(visibility=Visibility.FRIENDS)
        with pytest.raises(NotAllowed, match="Ben’s collection is"):
            offer(ada, ben)
        request_friend(sender=ada, username="ben")
        accept_friend(user=ben, username="ada")
        assert offer(ada, ben).state == TradeState.OPEN

    def test_guests_do_not_trade(self, ada: User) -> None:
        guest = create_guest(address="192.0.2.9")
        with pytest.raises(MembersOnly):
            offer(ada, guest, takes={})
        with pytest.raises(MembersOnly):
            offer(guest, ada, gives={}, takes={key(CLAW): 1})

    def test_nobody_trades_with_oneself(self, ada: User) -> None:
        with pytest.raises(Unacceptable, match="with yourself"):
            offer(ada, ada, takes={})


class TestAnswering:
    def test_accepting_swaps_the_cards_once(self, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        for _ in range(2):
            services.accept_trade(trade=trade, user=ben)
        assert (has(ada, CLAW), has(ada, FLAME)) == (1, 1)
        assert (has(ben, CLAW), has(ben, FLAME)) == (1, 0)
        assert LedgerRow.objects.filter(transfer__key=f"trade:{trade.slug}").count() == 2
        assert differences() == []

    def test_only_the_partner_accepts_and_declines(self, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        stranger = person("cleo")
        for user in (ada, stranger):
            with pytest.raises(NotAllowed):
                services.accept_trade(trade=trade, user=user)
            with pytest.raises(NotAllowed):
                services.decline_trade(trade=trade, user=user)
        with pytest.raises(NotAllowed):
            services.cancel_trade(trade=trade, user=ben)
        assert has(ada, CLAW) == 2

    def test_what_is_over_stays_over(self, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        services.decline_trade(trade=trade, user=ben)
        services.decline_trade(trade=trade, user=ben)
        with pytest.raises(TooLate, match=r"This offer is closed \(declined\)"):
            services.accept_trade(trade=trade, user=ben)
        with pytest.raises(TooLate):
            services.cancel_trade(trade=trade, user=ada)

    def test_a_card_promised_twice_goes_to_the_first(self, ada: User, ben: User) -> None:
        cleo = person("cleo", flame=1)
        first = offer(ada, ben, gives={key(CLAW): 2})
        second = offer(ada, cleo, gives={key(CLAW): 2}, token="form-2")
        services.accept_trade(trade=first, user=ben)
        assert queries.missing_cards(second) == ["Ada has only 0 of 2 Red Claw."]
        with pytest.raises(NotEnoughCards, match="Ada has 0 digital copies of Red Claw"):
            services.accept_trade(trade=second, user=cleo)
        second.refresh_from_db()
        assert second.state == TradeState.OPEN
        assert has(cleo, FLAME) == 1
        assert differences() == []

    def test_an_offer_expires(self, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        Trade.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        with pytest.raises(TooLate, match="has expired"):
            services.accept_trade(trade=trade, user=ben)
        assert queries.trades_of(ben).received == []
        sweep()
        trade.refresh_from_db()
        assert trade.state == TradeState.EXPIRED and trade.settled_at is not None


class TestCounterOffers:
    def test_a_counter_offer_takes_the_place_of_the_first(self, ada: User, ben: User) -> None:
        first = offer(ada, ben)
        second = services.offer_trade(
            proposer=ben,
            partner=ada,
            gives={key(FLAME): 1},
            takes={key(CLAW): 2},
            token="form-1",
            answer_to=first,
        )
        first.refresh_from_db()
        assert first.state == TradeState.COUNTERED
        with pytest.raises(TooLate):
            services.accept_trade(trade=first, user=ben)
        services.accept_trade(trade=second, user=ada)
        assert (has(ada, CLAW), has(ben, CLAW), has(ada, FLAME)) == (0, 2, 1)

    def test_only_the_one_who_was_asked_answers(self, ada: User, ben: User) -> None:
        first = offer(ada, ben)
        cleo = person("cleo")
        with pytest.raises(NotAllowed):
            offer(cleo, ada, gives={}, takes={key(CLAW): 1}, answer_to=first)
        with pytest.raises(Unacceptable, match="goes to the sender"):
            offer(ben, cleo, gives={key(FLAME): 1}, takes={}, answer_to=first)

    def test_it_may_answer_somebody_whose_collection_is_private(self, ada: User, ben: User) -> None:
        Collection.objects.filter(owner=ada).delete()
        first = offer(ada, ben)
        answer = offer(ben, ada, gives={}, takes={key(CLAW): 1}, answer_to=first)
        assert answer.state == TradeState.OPEN


SEEN = {
    ("public", False): True,
    ("public", True): True,
    ("friends", False): False,
    ("friends", True): True,
    ("private", False): False,
    ("private", True): False,
}
"""Privacy of the proposer's other cards towards the recipient of an offer: by the setting of
the collection and by whether the two are friends; the offer itself changes nothing about it."""


@pytest.mark.parametrize(("setting", "seen"), SEEN.items(), ids=str)
class TestWhatACounterOfferMayAskFor:
    """Ada offers one claw of two, and has a stinger that is not on offer."""

    @pytest.fixture
    def first(self, ada: User, ben: User, setting: tuple[str, bool]) -> Trade:
        moves = ledger.digital_to(ada, {key(STINGER): 1})
        ledger.transfer(key="grant:more", reason=Reason.GRANT, movements=moves)
        first = offer(ada, ben)
        visibility, friends = setting
        Collection.objects.filter(owner=ada).update(visibility=visibility)
        if friends:
            Friendship.objects.create(sender=ada, recipient=ben, accepted_at=timezone.now())
        return first

    ASKED = (({CLAW: 1}, False), ({CLAW: 2}, True), ({STINGER: 1}, True), ({FLAME: 1}, True))
    """Cards, and whether they are more than what lies on the table."""

    def test_in_the_service(self, first: Trade, ada: User, ben: User, seen: bool) -> None:
        for number, (cards, more) in enumerate(self.ASKED):
            takes = {key(slug): count for slug, count in cards.items()}
            terms = {"gives": {}, "takes": takes, "answer_to": first, "token": f"c{number}"}
            if more and not seen:
                # Whether Ada has it or not: the answer is the same.
                with pytest.raises(NotAllowed, match="only ask for the cards in Ada’s offer"):
                    offer(ben, ada, **terms)
                first.refresh_from_db()
                assert first.state == TradeState.OPEN, "it can still be answered"
        takes = {key(STINGER): 1} if seen else {key(CLAW): 1}
        assert offer(ben, ada, gives={}, takes=takes, answer_to=first, token="last").stands

    def test_in_the_api(self, first: Trade, ben: User, seen: bool) -> None:
        api = APIClient()
        api.force_authenticate(ben)
        for cards, more in self.ASKED:
            takes = [{"game": GAME, "card": s, "count": n} for s, n in cards.items()]
            if more and not seen:
                body = {"partner": "ada", "takes": takes, "answer_to": first.slug}
                answer = api.post("/api/trades/", body)
                assert answer.status_code == 403
                assert "only ask for the cards in" in answer.json()["detail"]
        body = {
            "partner": "ada",
            "takes": [{"game": GAME, "card": STINGER if seen else CLAW}],
            "answer_to": first.slug,
        }
        assert api.post("/api/trades/", body).status_code == 201

    def test_on_the_page(self, client: Client, first: Trade, ben: User, seen: bool) -> None:
        client.force_login(ben)
        address = f"/trades/new/ada/?answer={first.slug}"
        page = client.get(address).content.decode()
        assert f'name="take-{key(CLAW)}"' in page, "what is on offer is chosen already"
        assert ("of 2" in page) == seen == (f'value="take+{key(STINGER)}"' in page)
        assert ("You can only see the cards in this offer." in page) != seen
        # Taken off, it can be chosen again; and what was typed by hand is refused.
        page = client.post(address, {"action": f"take-{key(CLAW)}", "token": "t"}).content.decode()
        assert f'value="take+{key(CLAW)}"' in page
        assert ("Red Stinger" in page.split("You get")[1]) == seen
        sent = {"action": "send", "token": "t", f"take-{key(STINGER)}": "1"}
        assert client.post(address, sent).status_code == (302 if seen else 403)
        page = client.post(address, {"action": f"take+{key(STINGER)}"}).content.decode()
        assert ("of 1" in page) == seen

    def test_what_the_proposer_wants_is_known_as_any_wish(
        self, client: Client, first: Trade, ada: User, ben: User, seen: bool
    ) -> None:
        Holding.objects.create(owner=ada, card_id=key(FLAME), wishlist=3)
        client.force_login(ben)
        address = f"/trades/new/ada/?answer={first.slug}"
        page = client.post(address, {"action": "look", "token": "t"}).content.decode()
        assert ("on Ada’s wishlist" in page) == seen


class TestPages:
    def press(self, client: Client, button: str, **data: object) -> str:
        answer = client.post("/trades/new/ben/", {"action": button, "token": "t", **data})
        assert answer.status_code == 200
        return answer.content.decode()

    def test_an_offer_is_put_together_step_by_step(
        self, client: Client, ada: User, ben: User
    ) -> None:
        client.force_login(ada)
        page = client.get("/trades/new/ben/").content.decode()
        assert "Red Claw" in page and "Red Flame" in page
        claw, flame = key(CLAW), key(FLAME)
        page = self.press(client, f"give+{claw}", message="For you")
        assert f'name="give-{claw}"' in page and "For you" in page
        page = self.press(client, f"take+{flame}", **{f"give-{claw}": 1})
        assert f'name="take-{flame}"' in page and f'name="give-{claw}"' in page
        chosen = {f"give-{claw}": 1, f"take-{flame}": 1, "token": "t", "action": "send"}
        answer = client.post("/trades/new/ben/", chosen)
        trade = Trade.objects.get()
        assert answer.headers["Location"] == trade.get_absolute_url()
        assert client.post("/trades/new/ben/", chosen).headers["Location"] == answer["Location"]
        assert Trade.objects.count() == 1

    def test_a_form_that_was_sent_and_changed_is_sent_anew(
        self, client: Client, ada: User, ben: User
    ) -> None:
        client.force_login(ada)
        chosen = {f"give-{key(CLAW)}": 1, "token": "t", "action": "send"}
        client.post("/trades/new/ben/", chosen)
        changed = chosen | {"message": "For you"}
        answer = client.post("/trades/new/ben/", changed)
        page = answer.content.decode()
        assert answer.status_code == 422 and "already used for another offer" in page
        (token,) = re.findall(r'name="token" value="([^"]+)"', page)
        assert token != "t" and "For you" in page
        assert client.post("/trades/new/ben/", changed | {"token": token}).status_code == 302
        assert set(Trade.objects.values_list("message", flat=True)) == {"", "For you"}

    def test_a_refused_offer_keeps_what_was_chosen(
        self, client: Client, ada: User, ben: User
    ) -> None:
        client.force_login(ada)
        chosen = {f"give-{key(CLAW)}": 9, "token": "t", "action": "send", "message": "Nine"}
        answer = client.post("/trades/new/ben/", chosen)
        page = answer.content.decode()
        assert answer.status_code == 409
        assert "Ada has 2 digital copies of Red Claw, not 9." in page
        assert 'value="9"' in page and "Nine" in page

    def test_accepting_by_page(self, client: Client, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        client.force_login(ben)
        page = client.get(trade.get_absolute_url()).content.decode()
        assert "Accept trade" in page and "Counter-offer" in page
        client.post(f"/trades/{trade.slug}/accept/")
        assert has(ben, CLAW) == 1
        assert "Accepted" in client.get("/trades/").content.decode()

    def test_accepting_too_late_says_why(self, client: Client, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        services.cancel_trade(trade=trade, user=ada)
        client.force_login(ben)
        answer = client.post(f"/trades/{trade.slug}/accept/")
        assert answer.status_code == 409
        assert "This offer is closed (withdrawn)." in answer.content.decode()

    def test_a_trade_is_nobody_elses_business(self, client: Client, ada: User, ben: User) -> None:
        trade = offer(ada, ben)
        assert client.get(trade.get_absolute_url()).status_code == 302
        client.force_login(person("cleo"))
        assert client.get(trade.get_absolute_url()).status_code == 404
        for word in ("accept", "decline", "cancel"):
            assert client.post(f"/trades/{trade.slug}/{word}/").status_code == 404
        with pytest.raises(NotFound):
            queries.trade_of(User.objects.get(username="cleo"), trade.slug)

    def test_who_has_more_cards_than_are_shown_is_told_to_search(
        self, client: Client, ada: User, ben: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client.force_login(ada)
        assert "Showing up to" not in client.get("/trades/new/ben/").content.decode()
        monkeypatch.setattr(queries, "PICKS", 1)
        assert "Showing up to 1 card:" in client.get("/trades/new/ben/").content.decode()

    def test_a_closed_collection_shows_no_cards_to_choose(
        self, client: Client, ada: User, ben: User
    ) -> None:
        Collection.objects.filter(owner=ben).delete()
        client.force_login(ada)
        page = client.get("/trades/new/ben/").content.decode()
        assert "Ben’s collection is" in page
        assert "Red Flame" not in page

    def test_the_pages_need_few_queries_whatever_is_traded(
        self, client: Client, ada: User, ben: User, django_assert_max_num_queries: object
    ) -> None:
        for number in range(12):
            offer(ada, ben, token=f"form-{number}")
        client.force_login(ben)
        with django_assert_max_num_queries(13):  # type: ignore[operator]
            client.get("/trades/")


class TestApi:
    @pytest.fixture
    def api(self, ada: User) -> APIClient:
        api = APIClient()
        api.force_authenticate(ada)
        return api

    BODY = {
        "partner": "ben",
        "gives": [{"game": GAME, "card": CLAW, "count": 1}],
        "takes": [{"game": GAME, "card": FLAME, "count": 1}],
    }

    def test_long_keys_are_refused_and_not_cut(self, api: APIClient, ben: User) -> None:
        for end in "ab":
            answer = api.post(
                "/api/trades/", self.BODY, headers={"Idempotency-Key": "k" * 40 + end}
            )
            assert answer.status_code == 400
            assert "up to 40 characters" in str(answer.json())
        answers = [
            api.post("/api/trades/", self.BODY, headers={"Idempotency-Key": "k" * 39 + end}).json()
            for end in "ab"
        ]
        assert answers[0]["slug"] != answers[1]["slug"]

    def test_a_whole_trade(self, api: APIClient, ben: User) -> None:
        answer = api.post("/api/trades/", self.BODY, headers={"Idempotency-Key": "one"})
        assert answer.status_code == 201
        again = api.post("/api/trades/", self.BODY, headers={"Idempotency-Key": "one"})
        assert again.json()["slug"] == answer.json()["slug"]
        other = api.post(
            "/api/trades/", self.BODY | {"message": "Hm"}, headers={"Idempotency-Key": "one"}
        )
        assert (other.status_code, other.json()["trade"]) == (422, answer.json()["slug"])
        assert answer.json()["gives"] == self.BODY["gives"]
        slug = answer.json()["slug"]
        assert api.post(f"/api/trades/{slug}/accept/").status_code == 403
        api.force_authenticate(ben)
        assert api.post(f"/api/trades/{slug}/accept/").json()["state"] == "accepted"
        listed = api.get("/api/trades/?state=accepted").json()["results"]
        assert [row["slug"] for row in listed] == [slug]

    @pytest.mark.parametrize(
        ("change", "status"),
        [
            ({"partner": "nobody"}, 404),
            ({"gives": [{"game": GAME, "card": "no-such"}]}, 422),
            ({"gives": [{"game": GAME, "card": CLAW, "count": 0}]}, 400),
            ({"gives": [{"game": GAME, "card": CLAW, "count": 3}]}, 409),
            ({"gives": "all of them"}, 400),
            ({"days": 99}, 400),
            ({"answer_to": "no-such-trade"}, 404),
        ],
    )
    def test_refusals(
        self, api: APIClient, ben: User, change: dict[str, object], status: int
    ) -> None:
        answer = api.post("/api/trades/", self.BODY | change)
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
        assert not Trade.objects.exists()

    def test_strangers_and_the_unknown(self, api: APIClient, ben: User) -> None:
        slug = api.post("/api/trades/", self.BODY).json()["slug"]
        addresses = ["/api/trades/", f"/api/trades/{slug}/"]
        steps = [f"/api/trades/{slug}/{word}/" for word in ("accept", "decline", "cancel")]
        nobody = APIClient()
        assert [nobody.get(a).status_code for a in addresses] == [401, 401]
        assert [nobody.post(a).status_code for a in steps] == [401, 401, 401]
        api.force_authenticate(person("cleo"))
        assert [api.get(a).status_code for a in addresses] == [200, 404]
        assert [api.post(a).status_code for a in steps] == [404, 404, 404]


class TestTheSheet:
    """The other side's cards on the page for a new offer, and the offered ones."""

    def hide(self, owner: User) -> None:
        Collection.objects.filter(owner=owner).update(visibility=Visibility.PRIVATE)

    def test_only_an_offer_s_own_two_people_see_more_by_it(
        self, client: Client, ada: User, ben: User
    ) -> None:
        cleo = person("cleo", flame=1)
        trade = offer(cleo, ben, gives={}, takes={key(FLAME): 1})
        self.hide(ada)
        for person_in_it in (cleo, ben):
            client.force_login(person_in_it)
            assert client.get(f"/trades/new/ada/?answer={trade.slug}").status_code == 404
        client.force_login(cleo)  # it is hers: there is nothing to answer
        assert client.get(f"/trades/new/ben/?answer={trade.slug}").status_code == 404

    def test_an_offer_shows_its_cards_as_long_as_it_stands(
        self, client: Client, ada: User, ben: User
    ) -> None:
        trade = offer(ada, ben)
        self.hide(ada)
        client.force_login(ben)
        address, pick = f"/trades/new/ada/?answer={trade.slug}", f'value="take+{key(CLAW)}"'
        sent = {"action": f"take-{key(CLAW)}", "token": "t"}
        assert pick in client.post(address, sent).content.decode()
        services.decline_trade(trade=trade, user=ben)
        page = client.post(address, sent).content.decode()
        assert pick not in page and "Ada’s collection is" in page
        with pytest.raises(TooLate):  # whatever there is or is not
            offer(ben, ada, gives={}, takes={key(CLAW): 99}, answer_to=trade, token="form-2")

    def test_nobody_learns_how_many_by_asking(self, client: Client, ada: User, ben: User) -> None:
        self.hide(ada)
        client.force_login(ben)
        page = client.get(f"/trades/new/ada/?take={key(CLAW)}").content.decode()
        assert f'name="take-{key(CLAW)}"' in page
        assert "of 2" not in page and 'max="2"' not in page

    @pytest.mark.parametrize("digits", ["²", "9" * 5000, "9" * 25, "-1", ""])
    def test_odd_numbers_are_none(self, client: Client, ada: User, ben: User, digits: str) -> None:
        client.force_login(ada)
        assert client.get("/trades/new/ben/", {"take": digits}).status_code == 200
        for sent in (
            {"action": f"take+{digits}"},
            {"action": f"give-{digits}"},
            {f"take-{digits[:30]}": "1"},
            {f"take-{key(FLAME)}": digits[:9]},
        ):
            assert client.post("/trades/new/ben/", sent).status_code == 200


def test_the_header_counts_what_waits_for_an_answer(client: Client, ada: User, ben: User) -> None:
    trade = offer(ada, ben)
    client.force_login(ada)
    assert "to answer" not in client.get("/cards/").text
    client.force_login(ben)
    assert '1<span class="visually-hidden"> trade to answer' in client.get("/").text
    Trade.objects.update(expires_at=timezone.now())
    assert "to answer" not in client.get("/").text
    Trade.objects.update(expires_at=timezone.now() + timedelta(days=1))
    services.decline_trade(trade=trade, user=ben)
    assert "to answer" not in client.get("/").text


def test_collectors_who_have_what_i_want(client: Client, ada: User, ben: User) -> None:
    """Only those whose cards I may see, and who do not keep away; a trade begins from it."""
    Holding.objects.filter(owner=ben, card=key(FLAME)).update(for_trade=1)
    Holding.objects.update_or_create(owner=ada, card_id=key(FLAME), defaults={"wishlist": 9})
    Holding.objects.filter(owner=ada, card=key(CLAW)).update(for_trade=1)
    Holding.objects.update_or_create(owner=ben, card_id=key(CLAW), defaults={"wishlist": 9})
    client.force_login(ada)
    page = client.get("/trades/").text
    link = f"/trades/new/ben/?take={key(FLAME)}&amp;give={key(CLAW)}"
    assert "Collectors to trade with" in page and link in page
    sheet = client.get(link.replace("&amp;", "&")).text
    assert f'name="take-{key(FLAME)}"' in sheet and f'name="give-{key(CLAW)}"' in sheet
    api = APIClient()
    api.force_authenticate(ada)
    (partner,) = api.get("/api/trades/partners/").json()
    assert partner == {
        "username": "ben", "gives": [f"{GAME}/{FLAME}"], "wants": [f"{GAME}/{CLAW}"]
    }  # fmt: skip
    set_visibility(owner=ben, visibility="private")
    assert link not in client.get("/trades/").text
    set_visibility(owner=ben, visibility="public")
    block(user=ben, username="ada", kind="all")
    assert link not in client.get("/trades/").text
