import pytest
from tests.browser.player import DESKTOP, PHONE, Player
pytestmark = pytest.mark.browser
def test_tmp(site, browser):
    for game, size, dark in (("kaolan",DESKTOP,False),("battle-krabz",PHONE,True)):
        me=Player(browser,size, color_scheme="dark" if dark else "light"); pg=me.page
        tag=f"/tmp/learn/{game}-{size['width']}"; n=0
        def shot(name=""):
            nonlocal n
            n+=1; pg.wait_for_timeout(250); pg.screenshot(path=f"{tag}-{n:02d}{name}.png")
        pg.goto(f"{site}/"); pg.locator(".shelf").scroll_into_view_if_needed(); shot("home")
        pg.goto(f"{site}/games/{game}/learn/"); shot("learn")
        pg.get_by_role("button",name="Begin the lesson").click()
        for step in range(60):
            if not me.ready(): break
            les=pg.locator("#lesson"); guided=pg.locator(".is-guided").count(); ply=me.ply
            if les.is_visible():
                for _ in range(6):
                    shot()
                    nxt=pg.locator("[data-next-text]")
                    if not nxt.is_visible() or nxt.is_disabled(): break
                    nxt.click()
            if guided:
                t=pg.locator(".piece.is-meant"); t=t if t.count() else pg.locator(".is-meant")
                t.first.click()
                if pg.locator(".is-picked").count():
                    shot("picked")
                    pg.locator(".is-target .piece, .piece.is-target, [data-confirm]").first.click()
            else:
                if step>7: break
                for s in (".hand .may[data-option]", "[data-send]", ".piece.may[data-option]", "[data-options] .may"):
                    if pg.locator(s).count(): pg.locator(s).last.click(); break
            pg.wait_for_function("p => Number(document.getElementById('table').dataset.ply) > p", arg=ply)
        shot("end")
        pg.locator("[popovertarget=concede]").first.click(); pg.locator("#concede .button-danger").click(); pg.wait_for_url("**/result/"); pg.wait_for_load_state(); shot("result")
        pg.goto(pg.url.replace("result","fairness")); shot("fair")
        me.close()
