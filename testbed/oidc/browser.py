#!/usr/bin/python3
"""Logs in at the provider of testbed/oidc/up like a user: browser.py URL USER KEY…

Opens the URL in headless Chromium (Debian's, with its driver and python3-selenium), enters name and password on the
provider's page, and prints title and text of the final page. A KEY is the SHA-256 of a trusted server's public key
(base64); other certificates without a known CA are rejected.
"""
import contextlib
import os
import sys
import tempfile

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

STATE = os.environ.get("OIDC_TESTBED", "/var/tmp/deepsite-oidc")
UNSTEADY = [ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException]


@contextlib.contextmanager
def chromium(keys=()):
    """A browser of its own, with nothing from an earlier one."""
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    with tempfile.TemporaryDirectory() as profile:
        # Root has no sandbox; the page is ours.
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--user-data-dir=" + profile,
                     "--ignore-certificate-errors-spki-list=" + ",".join(keys)):
            options.add_argument(word)
        browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        try:
            yield browser
        finally:
            browser.quit()


def main(url, user, keys):
    with open(os.path.join(STATE, user + ".password"), encoding="utf-8") as file:
        password = file.read()
    with chromium(keys) as browser:
        # Pages change while they are read: read again, not a failure.
        wait = WebDriverWait(browser, 900, ignored_exceptions=UNSTEADY)
        browser.get(url)

        def logged_in(_):
            name = browser.find_element(By.ID, "username")
            if name.get_attribute("value") != user:
                name.clear()
                name.send_keys(user)
            browser.find_element(By.ID, "password").send_keys(password + "\n")
            return True
        wait.until(logged_in)
        # The provider asks for consent, then redirects back.
        start = "/".join(url.split("/")[:3]) + "/"

        def back(_):
            if browser.current_url.startswith(start) and not browser.current_url.startswith(start + "oidc/"):
                return True
            for button in browser.find_elements(By.CSS_SELECTOR, "button.btn-success, button.btn-primary"):
                if button.is_displayed() and button.text.strip() == "Continue":
                    button.click()
            return False
        wait.until(back)
        print(browser.current_url)
        print(wait.until(lambda _: browser.find_element(By.TAG_NAME, "body").text))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
