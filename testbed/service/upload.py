#!/usr/bin/python3
"""Hands in a site.yaml as a file on the page of the service, in headless Chromium: upload.py URL FILE OUT

Logs in with the test login, chooses FILE in the form of a site of one's own, and follows it until its plan is there. Prints the site's
id; pictures of the form and of the plan are in the folder OUT.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oidc"))

from browser import UNSTEADY, chromium  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402


def main(url, file, out):
    with chromium() as browser:
        browser.set_window_size(1100, 1700)
        wait = WebDriverWait(browser, 900, ignored_exceptions=UNSTEADY)

        def one(css):
            return browser.find_element(By.CSS_SELECTOR, css)

        def picture(name):
            browser.execute_script("window.scrollTo(0, 0)")
            browser.save_screenshot(os.path.join(out, name + ".png"))

        browser.get(url)
        one("#name").send_keys("Alice Example")
        one("#groups").send_keys("lab")
        one("button").click()
        wait.until(lambda _: browser.find_elements(By.CSS_SELECTOR, "a[href^='/own/']"))
        one("a[href^='/own/']").click()
        wait.until(lambda _: browser.find_elements(By.ID, "site-file"))
        one("#site-file").send_keys(os.path.abspath(file))
        picture("own-form")
        one("form.order button").click()
        wait.until(lambda _: browser.find_elements(By.CSS_SELECTOR, ".badge"))
        wait.until(lambda _: one(".badge").text == "planned")
        picture("own-plan")
        print(browser.current_url.rsplit("/", 1)[-1], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
