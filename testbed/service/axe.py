#!/usr/bin/python3
"""Checks pages for people who use a keyboard or a screen reader, with axe: axe.py AXE.JS URL COOKIE PATH…

Opens each path, light and dark, wide and as narrow as a phone. Prints one line for each fault, nothing if there is none.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oidc"))

from browser import chromium  # noqa: E402

RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(
    result => done(result.violations.flatMap(rule => rule.nodes.map(node => rule.id + ": " + node.failureSummary + " at " + node.html.slice(0, 200)))),
    fault => done(["axe failed: " + fault]));
"""


def main(axe, url, cookie, paths):
    with open(axe, encoding="utf-8") as file:
        script = file.read()
    name, value = cookie.split("=", 1)
    with chromium() as browser:
        browser.get(url + "/health/live")
        browser.add_cookie({"name": name, "value": value})
        for path in paths:
            for scheme in ("light", "dark"):
                for width in (1100, 500):
                    browser.set_window_size(width, 1000)
                    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                    browser.get(url + path)
                    if browser.execute_script("return document.documentElement.scrollWidth > window.innerWidth"):
                        print(f"{path} {scheme} {width}: wider than the window")
                    browser.execute_script(script)
                    for fault in browser.execute_async_script(RUN):
                        print(f"{path} {scheme} {width}: {fault}")
            for line in browser.get_log("browser"):
                if line["level"] == "SEVERE" and "favicon" not in line["message"] and "the server responded with a status of 4" not in line["message"]:
                    print(f"{path}: {line['message']}")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
