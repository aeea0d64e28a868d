"""Detects a key of a package repository that expired, or that no longer signs the repository."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import plugins

TOOL = os.path.join(plugins.REPOSITORY, "templates/apt/usr/local/sbin/deepsite-repository-key.j2")
URI = "https://pkgs.example/deb/"
DAY = 24 * 3600
# Created on 2020-01-01 for ten days (ed25519, of no real owner).
MADE = 1577836800
EXPIRES = MADE + 10 * DAY
KEY = """-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEXgvhABYJKwYBBAHaRw8BAQdAZsTgKgxuT8tuHIlT1NEPWYSWt2rDkpFDUZ+X
M/Qvx1K0Bm5vYm9keYiWBBMWCAA+FiEEX7aCyDqTDFOaY4csejb3upwdfeMFAl4L
4QACGwMFCQANLwAFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQejb3upwdfePG
QwD/TsvcsNJDAnpTjDLypCbhZpPod/mgVnOKiRnClmaGU+QA/RzQPhsWIFIYE3QJ
Nfil3SQG+90xHOezXoqvp2inXuoP
=dQg5
-----END PGP PUBLIC KEY BLOCK-----
"""


def tool():
    loader = importlib.machinery.SourceFileLoader("deepsite_repository_key", TOOL)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    usual, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = usual
    return module


class RepositoryKeyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.tool = tool()
        self.tool.REFUSED = os.path.join(folder.name, "refused")
        self.key = os.path.join(folder.name, "key.asc")

    def write(self, path, data, when):
        with open(path, "wb") as stream:
            stream.write(data)
        os.utime(path, (when, when))

    def trouble(self, now):
        return self.tool.trouble(self.key, URI, now)

    def test_a_key_is_of_use_until_it_expires(self):
        self.write(self.key, KEY.encode(), MADE)

        self.assertIsNone(self.trouble(EXPIRES - 1))
        self.assertEqual(self.trouble(EXPIRES + 1), self.key + " expired on 2020-01-11")

    def test_an_expired_key_that_was_fetched_today_is_the_newest_there_is(self):
        self.write(self.key, KEY.encode(), EXPIRES + 100 * DAY)

        self.assertIsNone(self.trouble(EXPIRES + 100 * DAY + 10))
        self.assertIn("expired", self.trouble(EXPIRES + 101 * DAY + 10))

    def test_of_several_keys_one_is_enough(self):
        binary = self.tool.binary(KEY.encode())
        self.assertEqual(self.tool.ends(binary), [EXPIRES])
        # A key without a self-signature never expires.
        lasting = binary[:2 + binary[1]]
        self.write(self.key, binary + lasting, MADE)

        self.assertEqual(self.tool.ends(binary + lasting), [EXPIRES, None])
        self.assertIsNone(self.trouble(EXPIRES + 5 * DAY))

    def test_no_key(self):
        self.assertIn("No such file", self.trouble(MADE))
        self.write(self.key, b"", MADE)
        self.assertIn("is empty", self.trouble(MADE))
        for rubbish in (b"\xc6", b"\x99\xff\xff", b"<html>not found</html>", bytes(range(256)) * 20, KEY.encode()[:90]):
            self.write(self.key, rubbish, MADE)
            self.trouble(MADE)

    def test_what_apt_refused_since_is_fetched_anew(self):
        self.write(self.key, KEY.encode(), MADE)
        self.write(self.tool.REFUSED, b"W: GPG error: https://other.example/deb  InRelease: NO_PUBKEY 1\n", MADE + 1)
        self.assertIsNone(self.trouble(MADE + 2))
        line = "W: GPG error: https://pkgs.example/deb  InRelease: NO_PUBKEY 2"
        self.write(self.tool.REFUSED, line.encode() + b"\n", MADE + 1)
        self.assertEqual(self.trouble(MADE + 2), line)
        os.utime(self.key, (MADE + 2, MADE + 2))
        self.assertIsNone(self.trouble(MADE + 3))

    @unittest.skipUnless(shutil.which("gpg"), "needs gpg")
    def test_reads_what_gpg_makes_and_changes(self):
        def gpg(*words):
            return subprocess.run(["gpg", "--homedir", self.folder, "--batch", "--quiet", "--passphrase", "", "--pinentry-mode", "loopback", *words],
                                  check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        os.chmod(self.folder, 0o700)
        self.addCleanup(subprocess.run, ["gpgconf", "--homedir", self.folder, "--kill", "all"], check=False)
        gpg("--faked-system-time", "%d!" % MADE, "--quick-gen-key", "repository", "rsa2048", "sign", "10d")
        self.assertEqual(self.tool.ends(gpg("--export")), [EXPIRES])
        mark = gpg("--with-colons", "--list-keys").decode().split("\nfpr:")[1].split(":")[8]
        gpg("--faked-system-time", "%d!" % (MADE + DAY), "--quick-set-expire", mark, "100d")
        self.assertEqual(self.tool.ends(self.tool.binary(gpg("--armor", "--export"))), [MADE + 101 * DAY])
        gpg("--faked-system-time", "%d!" % (MADE + 2 * DAY), "--quick-set-expire", mark, "0")
        self.assertEqual(self.tool.ends(gpg("--export")), [None])


if __name__ == "__main__":
    unittest.main()
