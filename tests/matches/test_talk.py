"""Chat, notes and comments: who reads and writes what, notes, mutes, blocks, reports."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.errors import MayNotWrite, TooManyReports, TooMuchTalk
from accounts.models import BlockKind, User, WritingBan
from accounts.services.blocks import ban_writing, block
from accounts.services.guests import create_guest, merge_guest
from matches import engine
from matches.errors import Malformed, NotAllowed, NotPossible, UnknownLine
from matches.models import ChatLine, Match, Note, Report, Seat, SeatKind, TableVisit
from matches.queries import talk
from matches.queries.access import access_match
from matches.services import talk as talking
from matches.services.play import concede
from matches.services.setup import SeatPlan, leave_match
from notices.kinds import Kind
from notices.models.notices import Notice
from tests.matches.conftest import MakeMatch, api, person, play_on, queries_of, stored
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db


def at(match: Match, user: User | None = None) -> Match:
    """The match as it comes to whoever looks at it."""
    from django.contrib.auth.models import AnonymousUser

    return access_match(user or AnonymousUser(), match.slug)


def say(match: Match, user: User, text: str) -> ChatLine:
    return talking.say(match=at(match, user), user=user, text=text)


def heard(match: Match, user: User | None) -> list[str]:
    from django.contrib.auth.models import AnonymousUser

    return [line.text for line in talk.chat(at(match, user), user or AnonymousUser()).lines]


def later(rows: Any, **ago: float) -> None:
    rows.update(at=timezone.now() - timedelta(**ago))


# -- who reads what -------------------------------------------------------------------------------


def test_spectators_read_players_and_players_do_not_read_spectators(
    match: Match, ann: User, bob: User, stranger: User
) -> None:
    before = stored(match)
    say(match, ann, "Good luck.")
    say(match, stranger, "Bob should look left.")
    assert stored(match) == before, "talk never touches the match"
    assert heard(match, ann) == heard(match, bob) == ["Good luck."]
    assert heard(match, stranger) == heard(match, None) == ["Good luck.", "Bob should look left."]
    for user in (ann, bob):
        for address in ("", "?since=0"):
            answer = api(user).get(f"/api/matches/{match.slug}/chat/{address}")
            assert "left" not in answer.content.decode()
        assert talk.unread_count(at(match, user), user) == (user == bob)
        assert talk.unread_at(user) == ({match.pk: 1} if user == bob else {})
    concede(slug=match.slug, user=bob)
    assert heard(match, ann) == ["Good luck.", "Bob should look left."]
    assert talk.unread_at(ann) == {match.pk: 1}
    assert say(match, ann, "Well played.").room == "table"


def test_who_gave_up_still_reads_no_spectators(make_match: MakeMatch, ann: User, bob: User) -> None:
    carl, sam = person("Carl"), person("Sue")
    seats = [SeatPlan(user=user) for user in (ann, bob, carl)]
    match = make_match(seats=seats)
    concede(slug=match.slug, user=bob)
    say(match, sam, "Look left.")
    assert heard(match, bob) == []


def test_a_private_table_is_closed_to_strangers(
    make_match: MakeMatch, ann: User, stranger: User
) -> None:
    match = make_match(private=True)
    say(match, ann, "Hello.")
    for method, path, body in (
        ("get", "chat/", None),
        ("post", "chat/", {"text": "x"}),
        ("post", "chat/read/", {"line": 1}),
        ("post", "notes/", {"text": "x"}),
        ("get", "notes/", None),
        ("post", "reports/", {"seat": 0}),
    ):
        call = getattr(api(stranger), method)
        answer = call(f"/api/matches/{match.slug}/{path}", body, format="json")
        assert answer.status_code == 403, path


# -- writing --------------------------------------------------------------------------------------


def test_a_line_is_plain_text_of_500_characters(match: Match, ann: User) -> None:
    assert say(match, ann, "  a\x00\x07\n b\t<b>c</b> ").text == "a b <b>c</b>"
    assert len(say(match, ann, "é" * 500).text) == 500
    for text in ("", "  \n ", "x" * 501):
        with pytest.raises(Malformed):
            say(match, ann, text)
    assert ChatLine.objects.count() == 2
    page = client_of(ann).get(f"/matches/{match.slug}/talk/").content.decode()
    assert "&lt;b&gt;c&lt;/b&gt;" in page and "<b>c</b>" not in page


def test_twenty_lines_a_minute_chat_and_notes_together(match: Match, ann: User, bob: User) -> None:
    for number in range(10):
        say(match, ann, f"line {number}")
        talking.add_note(match=at(match, ann), user=ann, text=f"note {number}")
    with pytest.raises(TooMuchTalk):
        say(match, ann, "one more")
    with pytest.raises(TooMuchTalk):
        talking.add_note(match=at(match, ann), user=ann, text="one more")
    say(match, bob, "others may")
    answer = api(ann).post(f"/api/matches/{match.slug}/chat/", {"text": "x"}, format="json")
    assert answer.status_code == 429 and int(answer["Retry-After"]) == 60
    later(ChatLine.objects.filter(author=ann), seconds=61)
    say(match, ann, "a minute later")


def test_guests_and_ready_made_lines(make_match: MakeMatch, ann: User) -> None:
    """The host decides; a guest who is the host may write at their own table."""
    guest = create_guest(address="192.0.2.1")
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(user=guest)])
    say(match, guest, "Mine.")
    with pytest.raises(NotAllowed):
        talking.let_guests_write(match=at(match, guest), user=guest, may=False)
    talking.let_guests_write(match=at(match, ann), user=ann, may=False)
    with pytest.raises(NotAllowed):
        say(match, guest, "Mine.")
    assert len(talk.COURTESIES) == 8
    for words in talk.COURTESIES:
        assert say(match, guest, words).text == words
    chat = talk.chat(at(match, guest), guest)
    assert not chat.may_write and not chat.silent and not chat.guests_may_write
    say(match, ann, "Members may.")
    own = make_match(host=guest, seats=[SeatPlan(user=guest), SeatPlan(user=ann)])
    talking.let_guests_write(match=at(own, guest), user=guest, may=False)
    say(own, guest, "My table.")


def test_whom_the_moderators_muted(match: Match, ann: User, bob: User) -> None:
    ban_writing(user=ann, days=3, by=None)
    for words in ("Mine.", talk.COURTESIES[0]):
        with pytest.raises(MayNotWrite):
            say(match, ann, words)
    assert "until" in talk.chat(at(match, ann), ann).silent
    talking.add_note(match=at(match, ann), user=ann, text="Notes are one's own.")
    say(match, bob, "Hello.")
    assert heard(match, ann) == ["Hello."]


PAGE = {"csrfmiddlewaretoken": "of one page"}


def test_the_same_form_twice_is_one_line(match: Match, ann: User) -> None:
    client = client_of(ann)
    for _ in range(2):
        form = {"text": "Once."} | PAGE
        assert client.post(f"/matches/{match.slug}/talk/say/", form).status_code == 302
        client.post(f"/matches/{match.slug}/talk/note/", form)
    assert ChatLine.objects.count() == Note.objects.count() == 1


def test_the_same_words_once_more_are_two_lines(match: Match, ann: User) -> None:
    """What comes back has a token of its own, which the next line goes with."""
    client, say_it = client_of(ann), f"/matches/{match.slug}/talk/say/"
    page = client.get(f"/matches/{match.slug}/talk/").content.decode()
    for number in (1, 2):
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
        for _ in range(2):
            answer = client.post(
                say_it,
                {"text": "Good game.", "csrfmiddlewaretoken": token},
                headers={"Riffle-Script": "table"},
            )
        assert ChatLine.objects.count() == number
        page = answer.content.decode()


# -- not reading somebody -------------------------------------------------------------------------


def test_mutes_and_blocks_are_of_one_person_alone(match: Match, ann: User, bob: User) -> None:
    sam = person("Sue")
    say(match, bob, "from Bob")
    say(match, ann, "from Ann")
    talking.mute(match=at(match, ann), user=ann, username="bob")
    assert heard(match, ann) == ["from Ann"]
    assert talk.unread_count(at(match, ann), ann) == 0 and talk.unread_at(ann) == {}
    assert heard(match, bob) == heard(match, sam) == ["from Bob", "from Ann"]
    talking.unmute(match=at(match, ann), user=ann, username="bob")
    assert heard(match, ann) == ["from Bob", "from Ann"]
    block(user=ann, username="bob", kind="tables")
    assert heard(match, ann) == ["from Bob", "from Ann"]
    for kind in ("chat", "all"):
        block(user=ann, username="bob", kind=kind)
        assert heard(match, ann) == ["from Ann"]
        assert heard(match, bob) == ["from Bob", "from Ann"], "the other is not told"
    with pytest.raises(NotPossible):
        talking.mute(match=at(match, ann), user=ann, username="ann")


def test_who_is_named_is_told_once_and_not_by_whom_they_do_not_read(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    heron = User.objects.create_user("guest-1", display_name="Quiet Heron", is_guest=True)
    match = make_match(seats=[SeatPlan(user=user) for user in (ann, bob, heron)])

    def told() -> list[tuple[str, str]]:
        rows = Notice.objects.filter(kind=Kind.CHAT).order_by("pk")
        return list(rows.values_list("person__username", "text"))

    say(match, ann, "Hello Bob, hello Quiet Heron, write to ann@bobsled.example, @Sam")
    assert told() == []
    line = say(match, ann, "@BOB and @quiet heron: look, @ann.")
    game = engine.game_of(match).name
    text = f"Ann mentioned you in the chat of a {game} match."
    assert sorted(told()) == [("bob", text), ("guest-1", text)]
    notice = Notice.objects.filter(person=bob, kind=Kind.CHAT).get()
    assert (notice.match, notice.key) == (match.slug, str(line.pk))
    assert client_of(bob).get(notice.link).status_code == 200
    Notice.objects.all().delete()
    say(match, stranger, "@Bob, look left")
    assert told() == [], "players hear nothing of spectators"
    talking.mute(match=at(match, bob), user=bob, username="ann")
    block(user=heron, username="ann", kind="chat")
    say(match, ann, "@Bob @Quiet Heron")
    assert told() == []


# -- what is new ----------------------------------------------------------------------------------


def test_what_is_new_is_counted_once_it_was_read_no_more(
    match: Match, ann: User, bob: User
) -> None:
    first = say(match, bob, "one")
    say(match, bob, "two")
    assert talk.unread_count(at(match, ann), ann) == 2
    talking.mark_read(match=match, user=ann, line=first.pk)
    talking.mark_read(match=match, user=ann, line=0)
    assert talk.unread_count(at(match, ann), ann) == 1
    talking.mark_read(match=match, user=ann, line=2**31)
    assert talk.unread_at(ann) == {}
    say(match, bob, "three")
    assert talk.unread_at(ann) == {match.pk: 1}, "nobody reads what is not written yet"


def test_a_long_chat_costs_no_more_than_a_short_one(match: Match, ann: User, bob: User) -> None:
    def read() -> None:
        talk.chat(at(match, ann), ann)

    say(match, bob, "one")
    short = queries_of(read)
    ChatLine.objects.bulk_create(
        ChatLine(match=match, room="table", author=bob, text=f"line {n}") for n in range(250)
    )
    assert queries_of(read) == short
    chat = talk.chat(at(match, ann), ann)
    assert chat.more and len(chat.lines) == talk.PAGE_SIZE
    assert chat.lines[-1].text == "line 249"
    first = talk.chat(at(match, ann), ann, since=0)
    assert first.more and first.lines[0].text == "one"
    rest = talk.chat(at(match, ann), ann, since=first.lines[-1].id)
    assert not rest.more and rest.lines[-1].text == "line 249"


def test_a_round_through_the_tables_comes_to_each_once(
    make_match: MakeMatch, ann: User, bob: User
) -> None:
    tables = [make_match() for _ in range(4)]
    for hours, match in enumerate(tables, 1):
        until = timezone.now() + timedelta(hours=hours)
        Seat.objects.filter(match=match).update(prompt=None)
        Seat.objects.filter(user=ann, match=match).update(prompt=1, deadline_at=until)
        Match.objects.filter(pk=match.pk).update(deadline_at=until)
    said = make_match()
    Seat.objects.filter(match=said).update(prompt=None)
    say(said, bob, "Hello.")
    client, path = client_of(ann), tables[1].get_absolute_url()
    assert f"{path}next/" in client.get(path).content.decode()
    for _ in range(2):  # a second round begins anew
        path, trail = tables[1].get_absolute_url(), []
        for _ in range(4):
            path = client.get(f"{path.removesuffix('talk/')}next/").url  # type: ignore[attr-defined]
            trail.append(path)
        others = [tables[number].get_absolute_url() for number in (0, 2, 3)]
        assert trail == [*others, f"{said.get_absolute_url()}talk/"]
        end = client.get(f"{said.get_absolute_url()}next/", follow=True).content.decode()
        assert "That was all: no other table waits for you." in end


def test_the_next_table(make_match: MakeMatch, ann: User, bob: User) -> None:
    """Where one is asked, the most urgent first; then an end unseen; then what is unread."""
    here, over, result, urgent, asked_too = (make_match() for _ in range(5))
    concede(slug=over.slug, user=bob)
    say(result, bob, "Hello.")
    Seat.objects.filter(user=ann).update(prompt=None)
    for match, hours in ((urgent, 1), (asked_too, 2)):
        until = timezone.now() + timedelta(hours=hours)
        Seat.objects.filter(user=ann, match=match).update(prompt=1, deadline_at=until)
        Match.objects.filter(pk=match.pk).update(deadline_at=until)

    def next_one() -> str | None:
        return talk.next_table(ann, [here.pk])

    for match in (urgent, asked_too):
        assert next_one() == match.get_absolute_url()
        Seat.objects.filter(user=ann, match=match).update(prompt=None)
    assert next_one() == over.get_absolute_url()
    assert talk.next_table(bob, [over.pk]) != over.get_absolute_url()
    assert client_of(ann).get(over.get_absolute_url()).status_code == 200
    assert next_one() == f"/matches/{result.slug}/talk/"
    client_of(ann).get(f"/matches/{result.slug}/talk/")
    assert next_one() is None
    concede(slug=result.slug, user=bob)
    assert next_one() == result.get_absolute_url()
    client_of(ann).get(f"/matches/{result.slug}/result/")
    assert next_one() is None


# -- notes ----------------------------------------------------------------------------------------


def test_notes_are_their_author_s_alone(match: Match, ann: User, bob: User, staff: User) -> None:
    play_on(match, 2)
    client = api(ann)
    address = f"/api/matches/{match.slug}/notes/"
    response = client.post(address, {"text": "keeps a claw"}, format="json")
    assert response.status_code == 201 and response.json()["text"] == "keeps a claw"
    assert response.json()["ply"] == at(match, ann).visible_ply(0)
    assert client.get(address).json() == [response.json()]
    for other in (bob, staff):
        assert api(other).get(address).json() == []
        api(other).delete(f"{address}{response.json()['id']}/")
        for page in (f"/matches/{match.slug}/", f"/matches/{match.slug}/talk/"):
            assert "keeps a claw" not in client_of(other).get(page).content.decode()
    assert "keeps a claw" in client_of(ann).get(f"/matches/{match.slug}/talk/").content.decode()
    assert client.delete(f"{address}{response.json()['id']}/").status_code == 204
    assert client.get(address).json() == []


# -- reports --------------------------------------------------------------------------------------


def test_a_report_keeps_what_stood_around_the_line(
    match: Match, ann: User, bob: User, staff: User
) -> None:
    lines = [say(match, ann if n % 2 else bob, f"line {n}") for n in range(14)]
    later(ChatLine.objects.all(), minutes=2)
    bad = lines[12]
    report = talking.report(match=at(match, ann), user=ann, why="Rude.", line=bad.pk)
    again = talking.report(match=at(match, ann), user=ann, why="Very rude.", line=bad.pk)
    assert again == report and Report.objects.count() == 1
    (notice,) = Notice.objects.filter(kind="report")
    assert notice.person == staff and notice.text.startswith("Ann reported Bob in ")
    assert notice.link == f"/admin/matches/report/{report.pk}/change/"
    assert logged_in(staff).get(notice.link).status_code == 200
    for user, offered in ((staff, True), (bob, False)):
        page = logged_in(user).get("/you/notices/").content.decode()
        assert ("Reports to moderators" in page) == offered
    assert (report.about, report.reporter, report.state, report.why) == (bob, ann, "open", "Rude.")
    ChatLine.objects.all().delete()
    report.refresh_from_db()
    assert [item["text"] for item in report.context] == [f"line {n}" for n in range(2, 14)]
    assert report.context[0]["username"] == "bob"


def test_what_cannot_be_reported(match: Match, ann: User, bob: User, stranger: User) -> None:
    mine, theirs = say(match, ann, "mine"), say(match, stranger, "for spectators")
    with pytest.raises(NotPossible):
        talking.report(match=at(match, ann), user=ann, why="", line=mine.pk)
    with pytest.raises(UnknownLine):
        talking.report(match=at(match, ann), user=ann, why="", line=theirs.pk)
    for seat in (0, 5):
        with pytest.raises(NotPossible):
            talking.report(match=at(match, ann), user=ann, why="", seat=seat)
    for _ in range(2):
        talking.report(match=at(match, ann), user=ann, why="Stalls.", seat=1)
    assert Report.objects.count() == 1
    Report.objects.bulk_create(Report(reporter=ann, match=None, about=bob) for _ in range(30))
    line = say(match, bob, "x").pk
    with pytest.raises(TooManyReports):
        talking.report(match=at(match, ann), user=ann, why="", line=line)


# -- guests who log in ----------------------------------------------------------------------------


def test_what_a_guest_said_goes_with_the_account(make_match: MakeMatch, ann: User) -> None:
    guest, carl = create_guest(address="192.0.2.1"), person("Carl")
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(user=guest)])
    line = say(match, guest, "Hello there.")
    talking.add_note(match=at(match, guest), user=guest, text="my note")
    talking.mark_read(match=match, user=guest, line=line.pk)
    talking.mute(match=at(match, guest), user=guest, username="ann")
    talking.mute(match=at(match, ann), user=ann, username=guest.username)
    merge_guest(guest=guest, user=carl)
    line.refresh_from_db()
    assert line.author == carl
    assert [note.text for note in talk.notes_of(at(match, carl), carl)] == ["my note"]
    assert TableVisit.objects.get().user == carl
    assert talk.chat(at(match, carl), carl).muted == ["ann"]
    assert talk.chat(at(match, ann), ann).muted == ["carl"]


# -- pages and API --------------------------------------------------------------------------------


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_page_works_without_a_script(match: Match, ann: User, bob: User) -> None:
    address = f"/matches/{match.slug}/talk/"
    client = client_of(ann)
    assert "No messages yet." in client.get(address).content.decode()
    client.post(f"{address}say/", {"text": "Hello Bob."})
    theirs = client_of(bob)
    assert 'data-unread="1"' in theirs.get(address).content.decode()
    assert 'data-unread="0"' in theirs.get(address).content.decode(), "looking is reading"
    refused = theirs.post(f"{address}say/", {"text": "y" * 501})
    assert refused.status_code == 400 and "y" * 501 in refused.content.decode()
    theirs.post(f"{address}mute/", {"username": "ann"})
    assert "Hello Bob." not in theirs.get(address).content.decode()
    theirs.post(f"{address}mute/", {"username": "ann", "end": "yes"})
    assert "Hello Bob." in theirs.get(address).content.decode()
    client.post(f"{address}guests/", {"may_write": "no"})
    assert "can only use quick chat" in client.get(address).content.decode()
    nobody = Client().post(f"{address}say/", {"text": "Hello."})
    assert nobody.status_code == 401
    line = ChatLine.objects.get()
    form = theirs.get(f"{address}report/?line={line.pk}")
    assert "Hello Bob." in form.content.decode()
    assert theirs.post(f"{address}report/", {"line": line.pk, "why": ""}).status_code == 422
    done = theirs.post(f"{address}report/", {"line": line.pk, "why": "Rude."}, follow=True)
    assert "Report sent." in done.content.decode()


def test_the_chat_by_api(match: Match, ann: User, bob: User) -> None:
    address = f"/api/matches/{match.slug}/chat/"
    for _ in range(2):
        response = api(ann).post(
            address, {"text": "Hello."}, format="json", headers={"Idempotency-Key": "one"}
        )
        assert response.status_code == 201
    line = response.json()
    assert (line["name"], line["username"], line["mine"], line["room"]) == (
        "Ann",
        "ann",
        True,
        "table",
    )
    body = api(bob).get(address).json()
    assert [line["id"] for line in body["lines"]] == [line["id"]] and body["unread"] == 1
    assert body["courtesies"] == list(talk.COURTESIES) and body["rooms"] == ["table"]
    read = api(bob).post(f"{address}read/", {"line": line["id"]}, format="json")
    assert read.json()["unread"] == 0
    assert api(bob).put(f"{address}mutes/ann/").json()["muted"] == ["ann"]
    assert api(bob).get(address).json()["lines"] == []
    assert api(bob).delete(f"{address}mutes/ann/").status_code == 204
    assert api().get(address).json()["silent"].startswith("Log in")
    assert api().post(address, {"text": "x"}, format="json").status_code == 401
    assert api(ann).post(address, {"text": "x" * 501}, format="json").status_code == 400
    guests = f"{address}guests/"
    assert api(bob).post(guests, {"may_write": False}, format="json").status_code == 403
    assert not api(ann).post(guests, {"may_write": False}, format="json").json()["guests_may_write"]
    reports = f"/api/matches/{match.slug}/reports/"
    assert api(bob).post(reports, {"reason": "x"}, format="json").status_code == 400
    assert api(bob).post(reports, {"line": line["id"]}, format="json").status_code == 200


# -- moderators -----------------------------------------------------------------------------------


def test_the_moderators_queue(match: Match, ann: User, bob: User, staff: User) -> None:
    bad = say(match, bob, "something rude")
    report = talking.report(match=at(match, ann), user=ann, why="Rude.", line=bad.pk)
    client = client_of(staff)
    address = f"/admin/matches/report/{report.pk}/change/"
    assert "something rude" in client.get("/admin/matches/report/").content.decode()
    assert "something rude" in client.get(address).content.decode()
    decided = {"state": "acted", "note": "Told them.", "hide": "on", "mute_days": "7"}
    refused = client.post(address, decided | {"state": "dismissed"})
    assert "Choose “Acted upon”" in refused.content.decode()
    assert client.post(address, decided).status_code == 302
    report.refresh_from_db()
    assert (report.state, report.note, report.decided_by) == ("acted", "Told them.", staff)
    assert heard(match, ann) == heard(match, bob) == []
    with pytest.raises(MayNotWrite):
        say(match, bob, "more")
    assert WritingBan.objects.get().by == staff
    client.post(address, {"state": "open", "note": "", "mute_days": "0"})
    report.refresh_from_db()
    assert (report.state, report.decided_by, report.decided_at) == ("open", None, None)
    assert heard(match, ann) == ["something rude"], "what was hidden can be shown again"
    assert client_of(bob).get(address).status_code != 200


# -- comments on moves ----------------------------------------------------------------------------


def comments(match: Match, user: User | None = None) -> list[tuple[int, str, str]]:
    answer = api(user).get(f"/api/matches/{match.slug}/comments/")
    assert answer.status_code == 200
    return [(line["ply"], line["name"], line["text"]) for line in answer.json()]


def comment(match: Match, user: User, ply: int, text: str) -> ChatLine:
    return talking.comment(match=at(match, user), user=user, ply=ply, text=text)


def test_those_who_played_comment_on_moves(match: Match, ann: User, bob: User) -> None:
    """Before the end nobody does, others never; it is a line of the table's chat, too."""
    address = f"/api/matches/{match.slug}/comments/"
    values = {"text": " Here I was\tlost. ", "ply": 3}
    assert api(ann).post(address, values).status_code == 409
    before = stored(play_on(match))
    answer = api(ann).post(address, values)
    assert (answer.status_code, answer.json()["text"]) == (201, "Here I was lost.")
    sam = person("Sam")
    assert api(sam).post(address, values).status_code == 403
    assert api().post(address, values).status_code == 401
    for ply in (-1, match.ply + 1):
        assert api(bob).post(address, values | {"ply": ply}).status_code in (400, 422)
    assert api(bob).post(address, {"text": "x" * 501, "ply": 1}).status_code == 400
    comment(match, bob, 3, "You were not.")
    comment(match, bob, 0, "Good luck.")
    rows = [(0, "Bob", "Good luck."), (3, "Ann", "Here I was lost."), (3, "Bob", "You were not.")]
    assert comments(match) == comments(match, sam) == rows
    assert heard(match, sam) == ["Here I was lost.", "You were not.", "Good luck."]
    assert talk.unread_at(ann) == {match.pk: 2}
    assert stored(match) == before, "talk never touches the match"


def test_what_holds_for_lines_holds_for_comments(
    finished: Match, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = comment(finished, bob, 2, "You play like a wet towel.")
    talking.report(match=at(finished, ann), user=ann, why="Rude", line=line.pk)
    assert Report.objects.get().context[0]["text"] == line.text
    talking.mute(match=at(finished, ann), user=ann, username="bob")
    assert comments(finished, ann) == [] and len(comments(finished)) == 1
    talking.unmute(match=at(finished, ann), user=ann, username="bob")
    block(user=ann, username="bob", kind=BlockKind.CHAT)
    assert comments(finished, ann) == []
    monkeypatch.setattr(talking, "MAX_COMMENTS", 1)
    with pytest.raises(NotPossible):
        comment(finished, bob, 2, "And another thing.")
    for number in range(talking.MAX_MESSAGES_PER_MINUTE - 1):
        say(finished, ann, f"Line {number}")
    comment(finished, ann, 1, "The last one.")
    ChatLine.objects.filter(ply=1).update(ply=None)
    with pytest.raises(TooMuchTalk):
        comment(finished, ann, 1, "One too many.")
    line.hidden_at = timezone.now()
    line.save()
    assert comments(finished) == []


def test_the_replay_shows_comments(finished: Match, ann: User, stranger: User) -> None:
    address = f"/matches/{finished.slug}/replay/"
    send = f"/matches/{finished.slug}/comment/"
    browser = logged_in(ann)
    page = browser.get(f"{address}?ply=3&seat=2").content.decode()
    assert 'placeholder="Add a comment"' in page
    for _ in range(2):  # a double click
        sent = {"text": "Here I was <lost>.", "ply": "3", "seat": "2"} | PAGE
        answer = browser.post(send, sent)
        assert answer.url == f"{address}?ply=3&seat=2#comments"
    for client in (browser, logged_in(stranger), Client()):
        page = client.get(f"{address}?ply=3").content.decode()
        assert page.count("Here I was &lt;lost&gt;.") == 1 and "On move 3" in page
        assert page.count('class="replay-said') == 1
        assert "Here I was" not in client.get(f"{address}?ply=4").content.decode()
    assert "on move 3" in browser.get(f"/matches/{finished.slug}/talk/").content.decode()
    refused = browser.post(send, {"text": "y" * 501, "ply": "3"})
    assert refused.status_code == 400
    assert "y" * 501 in refused.content.decode() and "501" in refused.content.decode()
    outside = logged_in(stranger).post(send, {"text": "Me too.", "ply": "3"})
    assert outside.status_code == 403 and "Only its players" in outside.content.decode()
    assert Client().post(send, {"text": "Me too.", "ply": "3"}).status_code in (401, 403)
    assert browser.post(send, {"text": "No.", "ply": "99999"}).status_code == 422
    queries_of_result = queries_of(lambda: browser.get(f"{address}?ply=3"))
    comment(finished, ann, 3, "And another thing.")
    assert queries_of(lambda: browser.get(f"{address}?ply=3")) == queries_of_result


# -- where people wait, and where tables are listed -----------------------------------------------


def test_who_waits_at_an_open_table_talks_there(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    waits = make_match(seats=[SeatPlan(user=ann), SeatPlan(user=bob), SeatPlan(kind=SeatKind.OPEN)])
    path = waits.get_absolute_url()
    say(waits, bob, "Who is the third?")
    page = client_of(ann).get(path).content.decode()
    assert 'talk-head">Chat<' in page and "Who is the third?" in page
    assert talk.unread_at(ann) == {}, "the page has shown it"
    client_of(ann).post(f"{path}talk/say/", {"text": "Cleo, I hope."})
    assert heard(waits, bob) == ["Who is the third?", "Cleo, I hope."]
    assert client_of(stranger).get(path).status_code == 302, "whoever comes by is asked to sit down"
    leave_match(match=waits, user=ann)
    assert 'talk-head">Chat<' not in client_of(ann).get(path).content.decode()


def test_lists_of_tables_say_what_is_new(make_match: MakeMatch, ann: User, bob: User) -> None:
    running, over = make_match(), make_match()
    say(running, bob, "Hello.")
    say(running, bob, "Good luck.")
    concede(slug=over.slug, user=bob)
    browser = client_of(ann)
    page = browser.get("/matches/").content.decode()
    assert '<span class="visually-hidden"> new chat messages</span>' in page
    assert page.count(">New</span>") == 1 and page.index(">New</span>") > page.index(
        "finished-head"
    )
    home = browser.get("/").content.decode()
    assert "new chat messages" in home and ">New</span>" not in home
    browser.get(f"{running.get_absolute_url()}talk/")
    browser.get(f"{over.get_absolute_url()}result/")
    page = browser.get("/matches/").content.decode()
    assert "in the chat</span>" not in page and ">New</span>" not in page
    assert "in the chat</span>" not in client_of(bob).get("/matches/").content.decode(), "his own"
