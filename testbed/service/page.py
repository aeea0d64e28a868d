#!/usr/bin/python3
"""Uses the pages of the service like a person, in headless Chromium, and takes pictures: page.py URL OUT KEY

Logs in with the test login, orders the first template with one node, says yes to its plan, waits until it is ready, has the SSH key
of the file KEY.pub signed (certificate and known hosts are written beside it), and extends the lease. Prints the site's id, then the
account and the address of its head.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oidc"))

from browser import UNSTEADY, chromium  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402


def main(url, out, key):
    with chromium() as browser:
        browser.set_window_size(1100, 1500)
        wait = WebDriverWait(browser, 900, ignored_exceptions=UNSTEADY)

        def one(css):
            return browser.find_element(By.CSS_SELECTOR, css)

        def picture(name):
            browser.execute_script("window.scrollTo(0, 0)")
            browser.save_screenshot(os.path.join(out, name + ".png"))

        def state():
            return one(".badge").text

        def press(label):
            def pressed(_):
                [button for button in browser.find_elements(By.CSS_SELECTOR, ".actions button") if button.text == label][0].click()
                return True
            wait.until(pressed)

        browser.get(url)
        one("#name").send_keys("Alice Example")
        one("#groups").send_keys("lab")
        one("button").click()
        wait.until(lambda _: browser.find_elements(By.CSS_SELECTOR, ".cards a"))
        picture("1-home")
        one(".cards a").click()
        wait.until(lambda _: browser.find_elements(By.ID, "field-nodes"))
        one("#field-nodes").clear()
        one("#field-nodes").send_keys("1")
        picture("2-order")
        one("form.order button").click()
        # The page follows the events by itself: nothing reloads it.
        wait.until(lambda _: state() == "planned")
        print(browser.current_url.rsplit("/", 1)[-1], flush=True)
        picture("3-plan")
        press("Build it")
        wait.until(lambda _: browser.find_elements(By.CSS_SELECTOR, "progress"))
        picture("4-building")
        wait.until(lambda _: state() in ("ready", "failed"))
        picture("5-ready")
        if state() != "ready":
            sys.exit(one("main").text)

        ends = one(".facts").text
        press("Extend")
        wait.until(lambda _: one(".facts").text != ends)

        def opened(_):
            one("details summary").click()
            return one("#key").is_displayed()
        wait.until(opened)
        with open(key + ".pub", encoding="utf-8") as file:
            one("#key").send_keys(file.read().strip())
        one("details button").click()
        wait.until(lambda _: len(browser.find_elements(By.CSS_SELECTOR, "pre")) == 3)
        picture("6-certificate")
        certificate, known, command = [part.text for part in browser.find_elements(By.CSS_SELECTOR, "pre")]
        for name, text in ((key + "-cert.pub", certificate), (key + ".known", known)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        print(command.rsplit(" ", 1)[-1], flush=True)
        faults = [line for line in browser.get_log("browser") if line["level"] == "SEVERE" and "favicon" not in line["message"]]
        if faults:
            sys.exit(str(faults))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
