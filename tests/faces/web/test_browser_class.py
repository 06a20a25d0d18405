"""A lesson in real browsers: a teacher with the keyboard alone, a pupil without scripts."""

from selenium.webdriver import Keys

from tests.faces.web.browser import DESKTOP, PHONE, fill, keys, press, see, tab_to, until


def test_a_lesson_by_keyboard_and_on_a_phone_without_scripts(browser, server):
    teacher, phone = browser(size=DESKTOP), browser(size=PHONE, scripts=False)
    teacher.get(f"{server.url}/classes")
    tab_to(teacher, "#f-name")
    keys(teacher, "7b", Keys.ENTER)
    code = see(teacher, "#code").text

    phone.get(f"{server.url}/classes")
    fill(phone, "#f-code", code)
    press(phone, "#join")
    fill(phone, "#f-name", "Ida")
    press(phone, "button#join")
    see(phone, "#wait")
    see(teacher, ".pupils", "Ida")
    see(teacher, "#present", "1 of 1")

    for css in ("#next-position", "a[href$='/position/sticks']", "#ask"):
        see(teacher, css)
        tab_to(teacher, css)
        keys(teacher, Keys.ENTER)
    see(teacher, "#answered")
    see(phone, "#typed-move")  # the page without scripts has asked again by itself
    fill(phone, "#typed-move", "1")
    press(phone, "form.add button")
    see(phone, "#step", "You answered")

    see(teacher, ".progress", "1 of 1")
    assert not phone.find_elements("css selector", "#spread")
    for css, shows in (("#show-spread", "#spread"), ("#show-truth", "#truth")):
        tab_to(teacher, css)
        keys(teacher, Keys.ENTER)
        see(teacher, shows)
        see(phone, shows)

    place = teacher.current_url.removesuffix("/teach")
    teacher.get(f"{place}/settings")
    tab_to(teacher, "#f-sure")
    keys(teacher, Keys.SPACE)
    tab_to(teacher, "#delete")
    keys(teacher, Keys.ENTER)
    see(teacher, "#open")
    until(phone, "the way in again", lambda: phone.current_url == f"{server.url}/classes")
