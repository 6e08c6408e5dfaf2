"""Who gets what at every address of the site, from one table: an address without a row fails.

The things are Ann's: a private deck, a private match against Tom, a trade with Tom, an event at
which Tom plays, and what is nobody else's. Bob is Ann's friend, who may see her cards; Sam is
nobody's. The staff has the admin for its work. Elsewhere it sees what any stranger sees, but for
packs, whose promise it has to check, and private matches, at which it may look as a spectator.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from collection.drawing.pictures import card_image_url
from collection.services.binders import share_binder
from decks.models import LabRun
from notices.channels.mail import unsubscribe_token
from tests.games.examples import CARD_SET, PACK, READY_DECK, UNKNOWN_CARD
from tests.support.world import CLAW, GAME, World, make_world

COLUMNS = ("nobody", "stranger", "friend", "other side", "owner", "staff")

# What a GET gets: a status, or “login” where one is sent to log in. 405: the address takes changes
# only, whose refusals their own tests look at.
TABLE = """
games.css                                                     200   200   200   200   200   200
api/schema/                                                   200   200   200   200   200   200
api/docs/                                                     200   200   200   200   200   200
api/problems/<slug:kind>/                                     200   200   200   200   200   200
api/me/                                                       401   200   200   200   200   200
api/me/data/                                                  401   405   405   405   405   405
api/me/delete/                                                401   405   405   405   405   405
api/notifications/                                            401   200   200   200   200   200
api/notifications/seen/                                       401   405   405   405   405   405
api/notifications/settings/                                   401   200   200   200   200   200
api/friends/                                                  401   200   200   200   200   200
api/friends/<str:username>/                                   401   405   405   405   405   405
api/blocks/                                                   401   200   200   200   200   200
api/blocks/<str:username>/                                    401   405   405   405   405   405
api/guests/                                                   405   405   405   405   405   405
api/games/                                                    200   200   200   200   200   200
api/games/<slug:slug>/                                        200   200   200   200   200   200
api/cards/                                                    200   200   200   200   200   200
api/cards/<slug:game>/<slug:slug>/                            200   200   200   200   200   200
api/collection/                                               401   200   200   200   200   200
api/collection/summary/                                       401   200   200   200   200   200
api/collection/starter/                                       401   200   200   200   200   200
api/collection/settings/                                      401   200   200   200   200   200
api/collection/history/                                       401   200   200   200   200   200
api/collection/<str:username>/                                403   403   200   403   200   403
api/collection/<slug:game>/<slug:slug>/                       401   200   200   200   200   200
api/collection/<slug:game>/<slug:slug>/copies/                401   200   200   200   200   200
api/collection/<slug:game>/<slug:slug>/history/               401   200   200   200   200   200
api/binders/                                                  401   200   200   200   200   200
api/binders/<slug:slug>/                                      200   200   200   200   200   200
api/binders/<slug:slug>/cards/                                200   200   200   200   200   200
api/people/<str:username>/binders/                            200   200   200   200   200   200
api/trades/                                                   401   200   200   200   200   200
api/trades/partners/                                          401   200   200   200   200   200
api/trades/<slug:slug>/                                       401   404   404   200   200   404
api/trades/<slug:slug>/accept/                                401   405   405   405   405   405
api/trades/<slug:slug>/decline/                               401   405   405   405   405   405
api/trades/<slug:slug>/cancel/                                401   405   405   405   405   405
api/prints/                                                   401   200   200   200   200   200
api/prints/<slug:slug>/                                       401   404   404   404   200   404
api/prints/<slug:slug>/cards.pdf                              401   404   404   404   200   404
api/packs/                                                    401   200   200   200   200   200
api/packs/daily/                                              401   200   200   200   200   200
api/packs/grant/                                              401   403   403   403   403   405
api/packs/odds/<slug:game>/<slug:product>/                    200   200   200   200   200   200
api/packs/<slug:slug>/                                        404   404   200   404   200   200
api/packs/<slug:slug>/open/                                   401   405   405   405   405   405
api/packs/<slug:slug>/record/                                 404   404   200   404   200   200
api/imports/                                                  401   200   200   200   200   200
api/imports/<slug:slug>/                                      401   404   404   404   200   404
api/imports/<slug:slug>/lines/                                401   404   404   404   200   404
api/imports/<slug:slug>/lines/<int:number>/                   401   405   405   405   405   405
api/imports/<slug:slug>/suggestions/                          401   405   405   405   405   405
api/imports/<slug:slug>/apply/                                401   405   405   405   405   405
api/imports/<slug:slug>/cancel/                               401   405   405   405   405   405
api/imports/<slug:slug>/undo/                                 401   405   405   405   405   405
api/exports/                                                  401   200   200   200   200   200
api/decks/                                                    401   200   200   200   200   200
api/decks/check/                                              405   405   405   405   405   405
api/decks/tags/                                               401   200   200   200   200   200
api/decks/check                                               405   405   405   405   405   405
api/decks/ready-made/                                         200   200   200   200   200   200
api/decks/ready-made/<slug:game>/<slug:starter>/copy/         401   405   405   405   405   405
api/decks/buildable/                                          401   200   200   200   200   200
api/decks/<slug:slug>/maybeboard/                             401   404   404   404   200   404
api/decks/random/                                             401   405   405   405   405   405
api/decks/<slug:slug>/cards/                                  401   405   405   405   405   405
api/decks/<slug:slug>/stats/                                  404   404   404   404   200   404
api/decks/<slug:slug>/needs/                                  401   404   404   404   200   404
api/decks/<slug:slug>/wishlist/                               401   405   405   405   405   405
api/decks/<slug:slug>/fill/                                   401   405   405   405   405   405
api/decks/<slug:slug>/random/                                 401   405   405   405   405   405
api/decks/shared/                                             200   200   200   200   200   200
api/decks/<slug:slug>/versions/                               401   404   404   404   200   404
api/decks/<slug:slug>/versions/<int:number>/                  401   404   404   404   200   404
api/decks/<slug:slug>/undo/                                   401   405   405   405   405   405
api/decks/<slug:slug>/redo/                                   401   405   405   405   405   405
api/decks/<slug:slug>/restore/                                401   405   405   405   405   405
api/decks/<slug:slug>/compare/                                404   404   404   404   200   404
api/decks/<slug:slug>/copy/                                   401   405   405   405   405   405
api/decks/<slug:slug>/lab/                                    401   404   404   404   200   404
api/lab/<slug:slug>/                                          401   404   404   404   200   404
api/decks/<slug:slug>/comments/                               404   404   404   404   200   404
api/decks/<slug:slug>/comments/<int:number>/                  401   405   405   405   405   405
api/decks/<slug:slug>/comments/<int:number>/report/           401   405   405   405   405   405
api/decks/<slug:slug>/like/                                   404   404   404   404   200   404
api/decks/import/                                             405   405   405   405   405   405
api/decks/<slug:slug>/export/                                 404   404   404   404   200   404
api/decks/<slug:slug>/                                        404   404   404   404   200   404
api/formats/                                                  200   200   200   200   200   200
api/formats/preview/                                          401   405   405   405   405   405
api/formats/import/                                           401   405   405   405   405   405
api/formats/<slug:slug>/toml/                                 200   200   200   200   200   200
api/formats/<slug:slug>/                                      200   200   200   200   200   200
api/deck-checks/                                              401   200   200   200   200   200
api/deck-checks/submitted/                                    401   200   200   200   200   200
api/deck-checks/<slug:slug>/                                  200   200   200   200   200   200
api/deck-checks/<slug:slug>/decks/                            401   404   404   404   200   404
api/deck-checks/<slug:slug>/mine/                             401   404   404   200   404   404
api/deck-checks/<slug:slug>/event/                            401   405   405   405   405   405
api/deck-checks/<slug:slug>/tally/                            401   404   404   404   200   404
api/deck-checks/<slug:slug>/recheck/                          401   405   405   405   405   405
api/deck-checks/<slug:slug>/sheets/                           401   404   404   404   200   404
api/deck-checks/<slug:slug>/results/                          401   404   404   404   200   404
api/deck-checks/<slug:slug>/decks/<int:number>/               401   403   403   403   200   403
api/deck-checks/<slug:slug>/decks/<int:number>/sheet/         401   403   403   403   200   403
api/tournaments/                                              200   200   200   200   200   200
api/tournaments/<slug:slug>/                                  200   200   200   200   200   200
api/tournaments/<slug:slug>/entries/                          200   200   200   200   200   200
api/tournaments/<slug:slug>/entries/<int:number>/tables/      200   200   200   200   200   200
api/tournaments/<slug:slug>/mine/                             401   404   200   200   404   404
api/tournaments/<slug:slug>/mine/here/                        401   405   405   405   405   405
api/tournaments/<slug:slug>/ladder/challenges/                200   200   200   200   200   200
api/tournaments/<slug:slug>/ladder/challenges/<int:number>/accept/ 401 405 405 405 405 405
api/tournaments/<slug:slug>/ladder/challenges/<int:number>/decline/ 401 405 405 405 405 405
api/tournaments/<slug:slug>/ladder/challenges/<int:number>/withdraw/ 401 405 405 405 405 405
api/tournaments/<slug:slug>/ladder/history/                   200   200   200   200   200   200
api/tournaments/<slug:slug>/ladder/close/                     401   405   405   405   405   405
api/tournaments/<slug:slug>/standings/                        200   200   200   200   200   200
api/tournaments/<slug:slug>/rounds/                           200   200   200   200   200   200
api/tournaments/<slug:slug>/rounds/<int:number>/tables/       200   200   200   200   200   200
api/tournaments/<slug:slug>/statistics/                       404   404   404   404   404   404
api/tournaments/<slug:slug>/rulings/                          200   200   200   200   200   200
api/tournaments/<slug:slug>/whole/                            200   200   200   200   200   200
api/tournaments/<slug:slug>/open-bracket/                     200   200   200   200   200   200
api/tournaments/<slug:slug>/limited/                          404   404   404   404   404   404
api/tournaments/<slug:slug>/limited/open/                     401   405   405   405   405   405
api/tournaments/<slug:slug>/limited/picks/                    401   405   405   405   405   405
api/tournaments/<slug:slug>/limited/decks/                    401   405   405   405   405   405
api/tournaments/<slug:slug>/limited/deck/                     401   405   405   405   405   405
api/tournaments/<slug:slug>/limited/record/                   404   404   404   404   404   404
api/tournaments/<slug:slug>/limited/packs/<slug:pack>/record/ 404   404   404   404   404   404
api/tournaments/<slug:slug>/lock/                             401   405   405   405   405   405
api/tournaments/<slug:slug>/start/                            401   405   405   405   405   405
api/tournaments/<slug:slug>/pair/                             401   405   405   405   405   405
api/tournaments/<slug:slug>/cancel/                           401   405   405   405   405   405
api/tournaments/<slug:slug>/next-season/                      401   405   405   405   405   405
api/tournaments/<slug:slug>/bots/                             401   405   405   405   405   405
api/tournaments/<slug:slug>/messages/                         401   405   405   405   405   405
api/tournaments/<slug:slug>/rounds/<int:number>/end/          401   405   405   405   405   405
api/tournaments/<slug:slug>/rounds/<int:number>/undo/         401   405   405   405   405   405
api/tournaments/<slug:slug>/rounds/<int:number>/tables/<int:table>/result/ 401 405 405 405 405 405
api/tournaments/<slug:slug>/entries/<int:number>/remove/      401   405   405   405   405   405
api/tournaments/<slug:slug>/entries/<int:number>/reinstate/   401   405   405   405   405   405
api/tournaments/<slug:slug>/entries/<int:number>/bye/         401   405   405   405   405   405
api/lobby/                                                    200   200   200   200   200   200
api/lobby/running/                                            200   200   200   200   200   200
api/lobby/quick/                                              401   405   405   405   405   405
api/clock/                                                    401   200   200   200   200   200
api/clock/vacation/                                           401   405   405   405   405   405
api/invitations/                                              401   200   200   200   200   200
api/matches/                                                  200   200   200   200   200   200
api/matches/<slug:slug>/                                      403   403   403   200   200   200
api/matches/<slug:slug>/join/                                 401   405   405   405   405   405
api/matches/<slug:slug>/leave/                                401   405   405   405   405   405
api/matches/<slug:slug>/accept/                               401   405   405   405   405   405
api/matches/<slug:slug>/decline/                              401   405   405   405   405   405
api/matches/<slug:slug>/invite/                               401   405   405   405   405   405
api/matches/<slug:slug>/uninvite/                             401   405   405   405   405   405
api/matches/<slug:slug>/fill/                                 401   405   405   405   405   405
api/matches/<slug:slug>/listed/                               401   405   405   405   405   405
api/matches/<slug:slug>/state/                                403   403   403   200   200   200
api/matches/<slug:slug>/moves/                                401   405   405   405   405   405
api/matches/<slug:slug>/events/                               403   403   403   200   200   200
api/matches/<slug:slug>/takeback/                             401   405   405   405   405   405
api/matches/<slug:slug>/hint/                                 403   403   403   200   200   200
api/matches/<slug:slug>/lookback/                             403   403   403   409   409   409
api/matches/<slug:slug>/draw/                                 401   405   405   405   405   405
api/matches/<slug:slug>/orders/                               401   403   403   200   200   403
api/matches/<slug:slug>/orders/<int:number>/                  401   405   405   405   405   405
api/matches/<slug:slug>/orders/ahead/                         401   403   403   200   200   403
api/matches/<slug:slug>/orders/ahead/dry-run/                 401   405   405   405   405   405
api/matches/<slug:slug>/concede/                              401   405   405   405   405   405
api/matches/<slug:slug>/give-time/                            401   405   405   405   405   405
api/matches/<slug:slug>/return/                               401   405   405   405   405   405
api/matches/<slug:slug>/give-up/                              401   405   405   405   405   405
api/matches/<slug:slug>/take-over/                            401   405   405   405   405   405
api/matches/<slug:slug>/cancel/                               401   405   405   405   405   405
api/matches/<slug:slug>/rematch/                              401   405   405   405   405   405
api/matches/<slug:slug>/series/                               403   403   403   404   404   404
api/matches/<slug:slug>/result/                               403   403   403   409   409   409
api/matches/<slug:slug>/replay/                               403   403   403   409   409   409
api/matches/<slug:slug>/fairness/                             403   403   403   200   200   200
api/matches/<slug:slug>/record/                               403   403   403   409   409   409
api/matches/<slug:slug>/undo/                                 401   405   405   405   405   405
api/matches/<slug:slug>/chat/                                 403   403   403   200   200   200
api/matches/<slug:slug>/comments/                             403   403   403   200   200   200
api/matches/<slug:slug>/chat/read/                            401   405   405   405   405   405
api/matches/<slug:slug>/chat/guests/                          401   405   405   405   405   405
api/matches/<slug:slug>/chat/mutes/<str:username>/            401   405   405   405   405   405
api/matches/<slug:slug>/notes/                                401   403   403   200   200   200
api/matches/<slug:slug>/notes/<int:number>/                       401   405   405   405   405   405
api/matches/<slug:slug>/reports/                              401   405   405   405   405   405
api/export/matches/                                           200   200   200   200   200   200
api/people/<str:username>/                                    200   200   200   200   200   200
api/ratings/<slug:game>/<slug:mode>/                          200   200   200   200   200   200
/                                                             200   200   200   200   200   200
you/                                                          login 200   200   200   200   200
you/security/                                                 login 200   200   200   200   200
you/security/log-out/                                         login 405   405   405   405   405
you/public/                                                   login 405   405   405   405   405
you/data/                                                     login 200   200   200   200   200
you/data/download/                                            login 200   200   200   200   200
you/data/delete/                                              login 200   200   200   200   200
you/security/log-out-everywhere/                              login 405   405   405   405   405
you/token/                                                    login 200   200   200   200   200
you/token/new/                                                login 405   405   405   405   405
you/token/revoke/                                             login 405   405   405   405   405
you/blocks/                                                   login 200   200   200   200   200
you/blocks/new/                                               login 405   405   405   405   405
you/blocks/end/                                               login 405   405   405   405   405
you/clock/                                                    login 200   200   200   200   200
you/clock/away/                                               login 405   405   405   405   405
you/clock/back/                                               login 405   405   405   405   405
you/notices/                                                  login 200   200   200   200   200
you/notices/<int:pk>/                                         login 404   404   404   302   404
you/notices/seen/                                             login 405   405   405   405   405
you/notices/settings/                                         login 405   405   405   405   405
you/notices/bell/                                             login 200   200   200   200   200
notices/stop/<str:token>/                                     200   200   200   200   200   200
sw.js                                                         200   200   200   200   200   200
offline/                                                      200   200   200   200   200   200
manifest.webmanifest                                          200   200   200   200   200   200
icons/<slug:name>.png                                         200   200   200   200   200   200
you/notices/browsers/add/                                     login 405   405   405   405   405
you/notices/browsers/renew/                                   login 405   405   405   405   405
you/notices/browsers/remove/                                  login 405   405   405   405   405
you/notices/browsers/test/                                    login 405   405   405   405   405
you/notices/browsers/state/                                   login 200   200   200   200   200
you/notices/hook/                                             login 200   200   200   200   200
you/notices/hook/state/                                       login 200   200   200   200   200
you/notices/hook/test/                                        login 405   405   405   405   405
you/notices/hook/remove/                                      login 405   405   405   405   405
you/notices/address/make/                                     login 405   405   405   405   405
you/notices/address/remove/                                   login 405   405   405   405   405
api/webhook/                                                  401   404   404   404   404   404
api/webhook/test/                                             401   405   405   405   405   405
friends/                                                      login 200   200   200   200   200
friends/accept/                                               login 405   405   405   405   405
friends/end/                                                  login 405   405   405   405   405
theme/                                                        405   405   405   405   405   405
you/table/                                                    login 405   405   405   405   405
privacy/                                                      200   200   200   200   200   200
terms/                                                        200   200   200   200   200   200
style/                                                        404   404   404   404   404   404
account/login/                                                200   302   302   302   302   302
account/signup/                                               200   302   302   302   302   302
account/email/                                                login 200   200   200   200   200
account/password/change/                                      login 302   302   302   302   302
account/password/set/                                         login 200   200   200   200   200
account/2fa/                                                  302   302   302   302   302   302
account/2fa/code/                                             login 302   302   302   302   302
account/2fa/again/                                            login 403   403   403   403   403
account/2fa/start/                                            login 200   200   200   200   200
account/2fa/end/                                              login 404   404   404   404   404
account/2fa/recovery-codes/                                   login 404   404   404   404   404
account/2fa/recovery-codes/new/                               login 200   200   200   200   200
account/2fa/recovery-codes/file/                              login 404   404   404   404   404
cards/                                                        200   200   200   200   200   200
cards/<slug:game>/<slug:slug>/                                200   200   200   200   200   200
cards/<slug:game>/<slug:slug>/glance/                         200   200   200   200   200   200
cards/<slug:game>/<slug:slug>/count/                          405   405   405   405   405   405
cards/<slug:game>/<slug:slug>/mark/                           405   405   405   405   405   405
cards/<slug:game>/<slug:slug>/copies/                         405   405   405   405   405   405
cards/<slug:game>/<slug:slug>/<slug:size>-<slug:digest>.webp  200   200   200   200   200   200
card-backs/<slug:game>/<slug:size>-<slug:digest>.webp         302   302   302   302   302   302
tournaments/                                                  200   200   200   200   200   200
tournaments/feed.atom                                         200   200   200   200   200   200
tournaments/new/                                              login 200   200   200   200   200
tournaments/<slug:slug>/                                      200   200   200   200   200   200
tournaments/<slug:slug>/players/                              200   200   200   200   200   200
tournaments/<slug:slug>/players/<int:number>/                 200   200   200   200   200   200
tournaments/<slug:slug>/rounds/<int:number>/                  200   200   200   200   200   200
tournaments/<slug:slug>/standings/                            200   200   200   200   200   200
tournaments/<slug:slug>/rulings/                              200   200   200   200   200   200
tournaments/<slug:slug>/ladder/                               404   404   404   404   404   404
tournaments/<slug:slug>/ladder/challenge/                     login 405   405   405   405   405
tournaments/<slug:slug>/ladder/accept/                        login 405   405   405   405   405
tournaments/<slug:slug>/ladder/decline/                       login 405   405   405   405   405
tournaments/<slug:slug>/ladder/withdraw/                      login 405   405   405   405   405
tournaments/<slug:slug>/ladder/close/                         login 405   405   405   405   405
tournaments/<slug:slug>/screen/                               200   200   200   200   200   200
tournaments/<slug:slug>/embed/                                200   200   200   200   200   200
tournaments/<slug:slug>/statistics/                           404   404   404   404   404   404
tournaments/<slug:slug>/cards.csv                             404   404   404   404   404   404
tournaments/<slug:slug>/report.trf                            200   200   200   200   200   200
tournaments/<slug:slug>/open-bracket.json                     200   200   200   200   200   200
tournaments/<slug:slug>/standings.csv                         200   200   200   200   200   200
tournaments/<slug:slug>/standings.pdf                         200   200   200   200   200   200
tournaments/<slug:slug>/tournament.json                       200   200   200   200   200   200
tournaments/<slug:slug>/calendar.ics                          200   200   200   200   200   200
tournaments/<slug:slug>/packs/                                login 404   404   404   404   404
tournaments/<slug:slug>/packs/open/                           login 405   405   405   405   405
tournaments/<slug:slug>/packs/pick/                           login 405   405   405   405   405
tournaments/<slug:slug>/packs/build/                          login 405   405   405   405   405
tournaments/<slug:slug>/packs/submit/                         login 405   405   405   405   405
tournaments/<slug:slug>/packs.json                            404   404   404   404   404   404
tournaments/<slug:slug>/packs/<slug:pack>.json                404   404   404   404   404   404
tournaments/<slug:slug>/organise/                             login 403   403   403   200   403
tournaments/<slug:slug>/enter/                                login 405   405   405   405   405
tournaments/<slug:slug>/here/                                 login 405   405   405   405   405
tournaments/<slug:slug>/withdraw/                             login 405   405   405   405   405
tournaments/<slug:slug>/drop/                                 login 405   405   405   405   405
tournaments/<slug:slug>/change/                               login 405   405   405   405   405
tournaments/<slug:slug>/lock/                                 login 405   405   405   405   405
tournaments/<slug:slug>/start/                                login 405   405   405   405   405
tournaments/<slug:slug>/end-round/                            login 405   405   405   405   405
tournaments/<slug:slug>/result/                               login 405   405   405   405   405
tournaments/<slug:slug>/bye/                                  login 405   405   405   405   405
tournaments/<slug:slug>/take-back/                            login 405   405   405   405   405
tournaments/<slug:slug>/pair/                                 login 405   405   405   405   405
tournaments/<slug:slug>/remove/                               login 405   405   405   405   405
tournaments/<slug:slug>/reinstate/                            login 405   405   405   405   405
tournaments/<slug:slug>/bots/                                 login 405   405   405   405   405
tournaments/<slug:slug>/write/                                login 405   405   405   405   405
tournaments/<slug:slug>/cancel/                               login 405   405   405   405   405
tournaments/<slug:slug>/next-season/                          login 405   405   405   405   405
sets/<slug:game>/<slug:slug>/                                 200   200   200   200   200   200
sets/<slug:game>/<slug:slug>/want/                            405   405   405   405   405   405
collection/                                                   200   200   200   200   200   200
collection/edit/                                              login 405   405   405   405   405
collection/starter/                                           405   405   405   405   405   405
collection/progress/                                          login 200   200   200   200   200
collection/history/                                           login 200   200   200   200   200
collection/binders/                                           login 200   200   200   200   200
collection/binders/<slug:slug>/revoke/                        login 405   405   405   405   405
binders/<slug:slug>/                                          200   200   200   200   200   200
collection/settings/                                          login 200   200   200   200   200
collections/<str:username>/                                   403   403   200   403   200   403
trades/                                                       login 200   200   200   200   200
trades/new/<str:username>/                                    login 200   200   200   200   200
trades/<slug:slug>/                                           login 404   404   200   200   404
trades/<slug:slug>/accept/                                    login 405   405   405   405   405
trades/<slug:slug>/decline/                                   login 405   405   405   405   405
trades/<slug:slug>/cancel/                                    login 405   405   405   405   405
prints/                                                       login 200   200   200   200   200
prints/new/                                                   login 200   200   200   200   200
prints/<slug:slug>/                                           login 404   404   404   200   404
prints/<slug:slug>/cards.pdf                                  login 404   404   404   200   404
prints/<slug:slug>/cancel/                                    login 405   405   405   405   405
prints/<slug:slug>/again/                                     login 405   405   405   405   405
packs/                                                        200   200   200   200   200   200
packs/gift/                                                   405   405   405   405   405   405
packs/verify.py                                               200   200   200   200   200   200
packs/odds/<slug:game>/<slug:product>/                        200   200   200   200   200   200
packs/<slug:slug>/                                            404   404   200   404   200   200
packs/<slug:slug>/open/                                       405   405   405   405   405   405
packs/<slug:slug>/verify/                                     404   404   200   404   200   200
packs/<slug:slug>/pack.json                                   404   404   200   404   200   200
collection/import/                                            200   200   200   200   200   200
collection/import/<slug:slug>/                                login 404   404   404   200   404
collection/import/<slug:slug>/apply/                          login 405   405   405   405   405
collection/import/<slug:slug>/cancel/                         login 405   405   405   405   405
collection/import/<slug:slug>/undo/                           login 405   405   405   405   405
collection/import/<slug:slug>/suggestions/                    login 405   405   405   405   405
collection/import/<slug:slug>/lines/<int:number>/             login 405   405   405   405   405
collection/export/                                            login 200   200   200   200   200
collection/export/file/                                       login 200   200   200   200   200
decks/                                                        200   200   200   200   200   200
decks/new/text/                                               200   200   200   200   200   200
decks/check/                                                  405   405   405   405   405   405
decks/ready-made/<slug:game>/<slug:starter>/                  200   200   200   200   200   200
decks/ready-made/<slug:game>/<slug:starter>/copy/             405   405   405   405   405   405
decks/shared/                                                 200   200   200   200   200   200
decks/with/<slug:game>/<slug:slug>/                           200   200   200   200   200   200
decks/<slug:slug>/about/                                      405   405   405   405   405   405
decks/<slug:slug>/copy/                                       405   405   405   405   405   405
decks/<slug:slug>/like/                                       405   405   405   405   405   405
decks/<slug:slug>/comments/                                   405   405   405   405   405   405
decks/<slug:slug>/comments/<int:number>/                      login 405   405   405   405   405
decks/<slug:slug>/comments/<int:number>/report/               login 404   404   404   404   404
decks/<slug:slug>/preview-<slug:digest>.jpg                   404   404   404   404   404   404
decks/<slug:slug>/undo/                                       405   405   405   405   405   405
decks/<slug:slug>/redo/                                       405   405   405   405   405   405
decks/<slug:slug>/restore/                                    405   405   405   405   405   405
decks/<slug:slug>/lab/                                        login 404   404   404   200   404
lab/<slug:slug>/                                              login 404   404   404   200   404
lab/<slug:slug>/cancel/                                       405   405   405   405   405   405
decks/<slug:slug>/history/                                    404   404   404   404   200   404
decks/<slug:slug>/history/<int:number>/                       405   405   405   405   405   405
decks/<slug:slug>/compare/                                    404   404   404   404   200   404
decks/import/                                                 200   200   200   200   200   200
decks/<slug:slug>/export/                                     404   404   404   404   200   404
decks/sheets/<slug:game>/<int:number>-<slug:digest>.jpg       302   302   302   302   302   302
decks/new/                                                    200   200   200   200   200   200
decks/<slug:slug>/build/                                      404   404   404   404   200   404
decks/<slug:slug>/shape/                                      404   404   404   404   200   404
decks/<slug:slug>/want/                                       405   405   405   405   405   405
formats/                                                      200   200   200   200   200   200
formats/new/                                                  login 200   200   200   200   200
formats/import/                                               login 200   200   200   200   200
formats/preview/<slug:game>/<slug:mode>/                      login 405   405   405   405   405
formats/<slug:slug>/                                          200   200   200   200   200   200
formats/<slug:slug>/format.toml                               200   200   200   200   200   200
formats/<slug:slug>/new-version/                              login 403   403   403   200   403
formats/<slug:slug>/retire/                                   login 405   405   405   405   405
deck-checks/                                                  login 200   200   200   200   200
deck-checks/<slug:slug>/                                      200   200   200   200   200   200
deck-checks/<slug:slug>/add/                                  login 405   405   405   405   405
deck-checks/<slug:slug>/hand-in/                              login 405   405   405   405   405
deck-checks/<slug:slug>/registration/                         login 405   405   405   405   405
deck-checks/<slug:slug>/lock/                                 login 404   404   404   200   404
deck-checks/<slug:slug>/unlock/                               login 405   405   405   405   405
deck-checks/<slug:slug>/event/                                login 405   405   405   405   405
deck-checks/<slug:slug>/again/                                login 405   405   405   405   405
deck-checks/<slug:slug>/sheets/                               login 404   404   404   200   404
deck-checks/<slug:slug>/sheets.pdf                            login 404   404   404   200   404
deck-checks/<slug:slug>/illegal.pdf                           login 404   404   404   200   404
deck-checks/<slug:slug>/melee.csv                             login 404   404   404   200   404
deck-checks/<slug:slug>/qr.svg                                200   200   200   200   200   200
deck-checks/<slug:slug>/verdicts.csv                          login 404   404   404   200   404
deck-checks/<slug:slug>/<int:number>/                         login 403   403   403   200   403
deck-checks/<slug:slug>/<int:number>/sheet.pdf                login 403   403   403   200   403
deck-checks/<slug:slug>/<int:number>/out/                     login 405   405   405   405   405
decks/buildable/                                              login 200   200   200   200   200
decks/<slug:slug>/                                            404   404   404   404   200   404
decks/<slug:slug>/edit/                                       404   404   404   404   200   404
decks/<slug:slug>/delete/                                     405   405   405   405   405   405
play/                                                         200   200   200   200   200   200
play/lobby/                                                   200   200   200   200   200   200
play/lobby/running/                                           200   200   200   200   200   200
play/lobby/quick/                                             405   405   405   405   405   405
play/quick/                                                   405   405   405   405   405   405
matches/                                                      login 200   200   200   200   200
matches/<slug:slug>/                                          403   403   403   200   200   200
matches/<slug:slug>/table/                                    403   403   403   200   200   200
matches/<slug:slug>/next/                                     login 403   403   302   302   302
matches/<slug:slug>/play/                                     405   405   405   405   405   405
matches/<slug:slug>/play-on/                                  405   405   405   405   405   405
matches/<slug:slug>/take-back/                                405   405   405   405   405   405
matches/<slug:slug>/turn-back/                                405   405   405   405   405   405
matches/<slug:slug>/draw/                                     405   405   405   405   405   405
matches/<slug:slug>/orders/                                   405   405   405   405   405   405
matches/<slug:slug>/ahead/                                    login 403   403   200   200   403
matches/<slug:slug>/hint/                                     403   403   403   200   200   200
matches/<slug:slug>/lookback/                                 403   403   403   409   409   409
matches/<slug:slug>/lookback/share/                           405   405   405   405   405   405
matches/<slug:slug>/concede/                                  405   405   405   405   405   405
matches/<slug:slug>/join/                                     403   403   403   302   302   302
matches/<slug:slug>/sit/                                      405   405   405   405   405   405
matches/<slug:slug>/accept/                                   405   405   405   405   405   405
matches/<slug:slug>/decline/                                  405   405   405   405   405   405
matches/<slug:slug>/invite/                                   405   405   405   405   405   405
matches/<slug:slug>/uninvite/                                 405   405   405   405   405   405
matches/<slug:slug>/fill/                                     405   405   405   405   405   405
matches/<slug:slug>/listed/                                   405   405   405   405   405   405
matches/<slug:slug>/leave/                                    405   405   405   405   405   405
matches/<slug:slug>/rematch/                                  405   405   405   405   405   405
matches/<slug:slug>/give-time/                                405   405   405   405   405   405
matches/<slug:slug>/return/                                   405   405   405   405   405   405
matches/<slug:slug>/give-up/                                  405   405   405   405   405   405
matches/<slug:slug>/take-over/                                405   405   405   405   405   405
matches/<slug:slug>/cancel/                                   405   405   405   405   405   405
matches/<slug:slug>/result/                                   403   403   403   409   409   409
matches/<slug:slug>/replay/                                   403   403   403   409   409   409
matches/<slug:slug>/moment.jpg                                403   403   403   409   409   409
matches/<slug:slug>/fairness/                                 403   403   403   200   200   200
matches/<slug:slug>/match.json                                403   403   403   409   409   409
calendar/<str:secret>.ics                                     404   404   404   404   404   404
feed/<str:secret>.atom                                        404   404   404   404   404   404
matches/<slug:slug>/talk/                                     403   403   403   200   200   200
matches/<slug:slug>/comment/                                  405   405   405   405   405   405
matches/<slug:slug>/talk/say/                                 405   405   405   405   405   405
matches/<slug:slug>/talk/read/                                405   405   405   405   405   405
matches/<slug:slug>/talk/note/                                405   405   405   405   405   405
matches/<slug:slug>/talk/note/remove/                         405   405   405   405   405   405
matches/<slug:slug>/talk/mute/                                405   405   405   405   405   405
matches/<slug:slug>/talk/guests/                              405   405   405   405   405   405
matches/<slug:slug>/talk/report/                              login 403   403   200   200   200
games/<slug:game>/                                            200   200   200   200   200   200
games/<slug:game>/rules/                                      200   200   200   200   200   200
rules/<str:rule>/                                             302   302   302   302   302   302
games/<slug:game>/learn/                                      200   200   200   200   200   200
games/<slug:game>/records/                                    200   200   200   200   200   200
people/                                                       200   200   200   200   200   200
people/you-played-with/                                       login 200   200   200   200   200
people/<str:username>/                                        200   200   200   200   200   200
people/<str:username>/challenge/                              login 200   200   200   422   200
ratings/<slug:game>/<slug:mode>/                              200   200   200   200   200   200
"""

# The same where the deck is public, the match open to spectators and the pack still sealed.
SHOWN = """
api/packs/<slug:slug>/                                        404   404   404   404   200   200
api/packs/<slug:slug>/record/                                 404   404   404   404   409   409
api/decks/<slug:slug>/stats/                                  200   200   200   200   200   200
api/decks/<slug:slug>/maybeboard/                             401   403   403   403   200   403
api/decks/<slug:slug>/needs/                                  401   200   200   200   200   200
api/decks/<slug:slug>/versions/                               401   403   403   403   200   403
api/decks/<slug:slug>/versions/<int:number>/                  401   403   403   403   200   403
api/decks/<slug:slug>/compare/                                403   403   403   403   200   403
api/decks/<slug:slug>/export/                                 200   200   200   200   200   200
api/decks/<slug:slug>/                                        200   200   200   200   200   200
api/matches/<slug:slug>/                                      200   200   200   200   200   200
api/matches/<slug:slug>/state/                                200   200   200   200   200   200
api/matches/<slug:slug>/events/                               200   200   200   200   200   200
api/matches/<slug:slug>/result/                               200   200   200   200   200   200
api/matches/<slug:slug>/replay/                               200   200   200   200   200   200
api/matches/<slug:slug>/fairness/                             200   200   200   200   200   200
api/matches/<slug:slug>/record/                               200   200   200   200   200   200
api/matches/<slug:slug>/comments/                             200   200   200   200   200   200
api/matches/<slug:slug>/chat/                                 200   200   200   200   200   200
api/matches/<slug:slug>/notes/                                401   200   200   200   200   200
packs/<slug:slug>/                                            404   404   404   404   200   200
packs/<slug:slug>/verify/                                     404   404   404   404   200   200
packs/<slug:slug>/pack.json                                   404   404   404   404   409   409
api/decks/<slug:slug>/lab/                                    401   403   403   403   200   403
decks/<slug:slug>/lab/                                        login 403   403   403   200   403
api/matches/<slug:slug>/hint/                                 200   200   200   200   200   200
api/matches/<slug:slug>/lookback/                             403   403   403   200   200   403
matches/<slug:slug>/hint/                                     200   200   200   200   200   200
matches/<slug:slug>/lookback/                                 403   403   403   200   200   403
decks/<slug:slug>/history/                                    403   403   403   403   200   403
decks/<slug:slug>/compare/                                    200   200   200   200   200   200
decks/<slug:slug>/export/                                     200   200   200   200   200   200
decks/<slug:slug>/build/                                      403   403   403   403   200   403
decks/<slug:slug>/shape/                                      200   200   200   200   200   200
decks/<slug:slug>/                                            200   200   200   200   200   200
decks/<slug:slug>/edit/                                       403   403   403   403   200   403
matches/<slug:slug>/                                          200   200   200   200   200   200
matches/<slug:slug>/table/                                    200   200   200   200   200   200
matches/<slug:slug>/join/                                     302   302   302   302   302   302
matches/<slug:slug>/result/                                   200   200   200   200   200   200
matches/<slug:slug>/replay/                                   200   200   200   200   200   200
matches/<slug:slug>/moment.jpg                                200   200   200   200   200   200
matches/<slug:slug>/fairness/                                 200   200   200   200   200   200
matches/<slug:slug>/match.json                                200   200   200   200   200   200
matches/<slug:slug>/talk/                                     200   200   200   200   200   200
matches/<slug:slug>/talk/report/                              login 200   200   200   200   200
"""

#: Streams read the database in threads of their own: see tests/matches/test_live.py.
ELSEWHERE = ("admin/", "events/")

QUERIES = {
    "api/decks/<slug:slug>/compare/": "?a=1&b=1",
    "collection/export/file/": "?format=text&which=all",
    "formats/new/": f"?play={GAME}/tournament",
}


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Every address of our own, as it is written in ``urls.py``."""
    for part in resolver.url_patterns:
        route = before + str(part.pattern)
        if isinstance(part, URLPattern):
            yield route
        elif "allauth" not in str(part.urlconf_name):
            yield from routes(part, route)


def rows(table: str) -> dict[str, tuple[str, ...]]:
    """What each column gets, by address. The start page has no letters, so it is called “/”."""
    split = (line.split() for line in table.strip().splitlines())
    return {"" if route == "/" else route: tuple(cells) for route, *cells in split}


def test_every_address_has_a_row() -> None:
    known = {route for route in routes(get_resolver()) if not route.startswith(ELSEWHERE)}
    assert known == set(rows(TABLE))
    assert set(rows(SHOWN)) <= known
    assert {len(cells) for cells in (rows(TABLE) | rows(SHOWN)).values()} == {len(COLUMNS)}


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@pytest.fixture
def clients(world: World) -> list[Client]:
    """One for each column."""
    sam = User.objects.create_user("sam")
    olga = User.objects.create_user("olga", is_staff=True, is_superuser=True)
    entries = []
    for user in (None, sam, world.bob, world.tom, world.ann, olga):
        client = Client()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        entries.append(client)
    return entries


@pytest.mark.slow(35)
def test_what_is_private(world: World, clients: list[Client]) -> None:
    slugs = {
        "decks": world.deck.slug,
        "matches": world.private.slug,
        "packs": world.opened.slug,
    }
    assert found_at(rows(TABLE), slugs, world, clients) == rows(TABLE)


@pytest.mark.slow
def test_what_is_shown(world: World, clients: list[Client]) -> None:
    slugs = {
        "decks": world.public.slug,
        "matches": world.finished.slug,
        "packs": world.sealed.slug,
    }
    assert found_at(rows(SHOWN), slugs, world, clients) == rows(SHOWN)


def _lab_run(world: World) -> LabRun:
    return LabRun.objects.create(
        owner=world.ann,
        deck=world.deck,
        mode=world.deck.mode,
        versions=[{"number": 1, "cards": {}}],
        field=[{"name": "Field", "owner": None, "cards": {}}],
        player="greedy",
        pairs=5,
        state="done",
    )


def found_at(
    asked: dict[str, tuple[str, ...]], slugs: dict[str, str], world: World, clients: list[Client]
) -> dict[str, tuple[str, ...]]:
    """What everybody gets at these addresses."""
    shared = share_binder(owner=world.ann, binder="", cards="all", on_profile=False)
    slugs |= {
        "binders": shared.slug,
        "cards": CLAW,
        "deck-checks": world.check.slug,
        "formats": world.format.slug,
        "games": GAME,
        "import": world.list.slug,
        "imports": world.list.slug,
        "lab": _lab_run(world).slug,
        "prints": world.print.slug,
        "tournaments": world.tournament.slug,
        "trades": world.trade.slug,
    }
    digest = card_image_url(GAME, CLAW, "thumb").rpartition("-")[2].partition(".")[0]
    values = {
        "<slug:digest>": digest,
        "sets/<slug:game>/<slug:slug>": f"sets/{GAME}/{CARD_SET}",
        "<slug:game>/<slug:slug>": f"{GAME}/{CLAW}",
        "<slug:game>": GAME,
        "<slug:kind>": "throttled",
        "<slug:name>": "icon-192",
        "<str:rule>": UNKNOWN_CARD,
        "<str:secret>": "a-guess",
        "<slug:mode>": "match",
        "<slug:pack>": "none-1",
        "<slug:product>": PACK,
        "<slug:size>": "thumb",
        "<slug:starter>": READY_DECK,
        "<str:username>": "ann",
        "<int:number>": "1",
        "<int:table>": "1",
        "<int:pk>": str(world.notice.pk),
        "<str:token>": unsubscribe_token(world.ann),
    }
    values_result = {}
    for route in asked:
        path = f"/{route}"
        for name, value in values.items():
            path = path.replace(name, value)
        before, slug, after = path.partition("<slug:slug>")
        if slug:
            path = before + slugs[before.strip("/").split("/")[-1]] + after
        values_result[route] = tuple(
            got(client, path + QUERIES.get(route, "")) for client in clients
        )
    return values_result


def got(client: Client, path: str) -> str:
    answer = client.get(path)
    if answer.streaming:  # only so many downloads at once: read it to its end
        b"".join(answer.streaming_content)  # type: ignore[arg-type]
    sent_to_log_in = answer.status_code == 302 and "/account/login/" in answer["Location"]
    return "login" if sent_to_log_in else str(answer.status_code)
