#!/usr/bin/python3
"""Sends forms to a service with a test login, from its own page and from another site's: forms.py SERVICE OTHER

Logs in at SERVICE in headless Chromium, sends the form of its page /form, then the form of the page OTHER, which goes
to the service, too. Prints a line of JSON with what scripts see of the cookies, and with the text of both answers.
"""
import json
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from browser import UNSTEADY, chromium


def main(service, other):
    with chromium() as browser:
        wait = WebDriverWait(browser, 900, ignored_exceptions=UNSTEADY)

        def send(page):
            if page:
                browser.get(page)
            form = browser.find_element(By.TAG_NAME, "form")
            form.find_element(By.TAG_NAME, "button").click()
            wait.until(lambda _: not browser.find_elements(By.TAG_NAME, "form"))
            return browser.find_element(By.TAG_NAME, "body").text

        browser.get(service + "/login?to=/me")
        browser.find_element(By.ID, "name").send_keys("ada")
        browser.find_element(By.ID, "groups").send_keys("/lab")
        seen = {"person": send(None), "cookies": browser.execute_script("return document.cookie")}
        seen["own"] = send(service + "/form")
        seen["other"] = send(other)
        print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
