import time, io, pytest, uuid
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from accounts.models import *
from accounts.notices.models import Notice
from accounts.channels import secret_addresses as sa
from accounts.channels.models import AddressUse
from collection.models import *
from decks.models import *
from matches.models import *
from matches.talk_models import *
from tests import test_permissions as tp
from tests.test_permissions import rows, TABLE, found_at, world
from tests.matches.many import copies_of
from tests.matches.conftest import play_on
from tests.world import *
from decks.services import decks as deck_services, checks
from decks.services.checks import Entry
from decks.textlist import write_list

@pytest.mark.django_db
def test_probe(world, settings):
    settings.CPU_BUDGET=1e6
    ann=world.ann
    t0=time.time()
    copies_of(world.finished, 400)
    run=copies_of(world.match, 0) if 0 else []
    have=set(Holding.objects.filter(owner=ann).values_list("card_id",flat=True))
    Holding.objects.bulk_create([Holding(owner=ann, card_id=c, recorded=4, spare=1, wanted=5, tags="a,b", notes="n"*200, extra={"Price":"3","Comment":"x"*40}) for c in Card.objects.exclude(pk__in=have).values_list("pk",flat=True)], batch_size=500)
    print("holdings", Holding.objects.filter(owner=ann).count())
    for vis in ("private","public"):
        for n in range(95):
            deck_services.create_deck(owner=ann, game=GAME, mode=MODE, name=f"D{vis}{n}", cards=READY_CARDS, visibility=vis)
    lists=[Entry(f"Jo{n}", "Fire", write_list(READY_CARDS, GAME)) for n in range(300)]
    checks.add_decks(check=world.check, by=ann, entries=lists); checks.judge_check(check_id=world.check.pk)
    for m in (world.finished, world.match, world.private):
        room="players" 
        ChatLine.objects.bulk_create([ChatLine(match=m, author=ann, room=r, text="hello "*20, ply=1 if r=="comments" else None) for r in [c for c,_ in ChatRoom.choices if m.status=="finished" or c!="comments"] for _ in range(1500)])
        Note.objects.bulk_create([Note(match=m, author=ann, text="n"*100, ply=i%30) for i in range(300)])
    Notice.objects.bulk_create([Notice(person=ann, kind="chat", text="Look.", link=f"/matches/{i}", key=str(i)) for i in range(1000)])
    cal=sa.make_address(user=ann,use=AddressUse.CALENDAR).key; feed=sa.make_address(user=ann,use=AddressUse.FEED).key
    print("made", time.time()-t0)
    connection.queries_log.clear()
    anon=Client(); own=Client(); own.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    real_got=tp.got
    res={}
    def got(client, path):
        path=path.replace("a-guess.ics", cal+".ics").replace("a-guess.atom", feed+".atom")
        if client is own and "stop/" in path: return "skip"
        best=None
        for rep in range(2):
            connection.queries_log.clear()
            with CaptureQueriesContext(connection) as c:
                t=time.thread_time(); r=client.get(path)
                body=b"".join(r.streaming_content) if r.streaming else r.content
                cpu=time.thread_time()-t
            if best is None or cpu<best[0]: best=(cpu,len(c),len(body),r.status_code)
            if rep==0: first=cpu
        res[(path, "ann" if client is own else "nobody")]=(*best, first)
        return "x"
    tp.got=got
    for slugs in ({"decks":world.deck.slug,"matches":world.finished.slug,"packs":world.opened.slug},{"decks":world.public.slug,"matches":world.match.slug,"packs":world.sealed.slug}):
        found_at(rows(TABLE), dict(slugs), world, [own, anon])
    tp.got=real_got
    extra=[f"/matches/{world.finished.slug}/table/?steps=0&since=0", f"/matches/{world.match.slug}/table/?steps=0", f"/matches/{world.finished.slug}/replay/?ply=30",f"/api/matches/{world.finished.slug}/replay/?ply=30", "/api/export/matches/","/api/export/matches/?mine=true"]+[f"/collection/export/file/?format={f}&which=all&game=" for f in ("riffle","text","json","moxfield")]+[f"/decks/{world.public.slug}/export/?format={f}" for f in ("text","json","code","cockatrice","tabletop")]
    for p in extra:
        for c in (own, anon): got(c,p)
    for (path,who),(cpu,q,b,st,first) in sorted(res.items(), key=lambda x:-max(x[1][0],x[1][4]/3))[:90]:
        print(f"{cpu*1000:8.1f} first {first*1000:8.1f} q{q:4d} {b/1000:9.1f}KB {st} {who:6s} {path}")
    t=time.thread_time(); r=own.post("/you/data/download/",{}); print(r.status_code)
    from accounts.own_data import archive
    t=time.thread_time(); n=sum(map(len,archive(ann))); print("zip",time.thread_time()-t,n)
