"""seal.py, which prepares a machine to become an image, on a root file system in a folder."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest

import plugins

SEAL = os.path.join(plugins.REPOSITORY, "engine/src/main/resources/io/deepsite/operations/seal.py")
JOB = {"units": [], "before": [], "paths": [], "secrets": []}
# Put together here: no file of this repository holds the head of a key with a body.
KEY = "-----BEGIN %s PRIVATE KEY-----\n" % "OPENSSH" + "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB\n"


def seal():
    """The script as a module."""
    namespace = {"__name__": "seal"}
    with open(SEAL, encoding="utf-8") as stream:
        exec(compile(stream.read(), SEAL, "exec"), namespace)
    return namespace


class SealTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.script = seal()
        self.put("etc/hostname", "node\n")
        self.put("etc/hosts", "127.0.0.1 localhost\n127.0.1.1 node\n")
        self.put("etc/machine-id", "0123456789abcdef0123456789abcdef\n")
        self.put("etc/shadow", "root:*:19000:0:99999:7:::\nsshd:!:19000::::::\n")
        self.put("root/.ssh/authorized_keys", "ssh-ed25519 AAAA of-the-site\n")

    def put(self, path, text):
        whole = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as stream:
            stream.write(text)

    def has(self, path):
        return os.path.lexists(os.path.join(self.root, path))

    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as stream:
            return stream.read()

    def sealed(self, **job):
        return self.script["seal"](self.root, dict(JOB, **job))

    def found(self, **job):
        return [(each["path"], each["what"]) for each in self.sealed(**job)["found"]]

    def test_removes_what_identifies_the_machine(self):
        gone = ("etc/ssh/ssh_host_ed25519_key", "etc/ssh/ssh_host_ed25519_key.pub", "root/.bash_history", "root/.ansible/tmp/x", "var/lib/dbus/machine-id",
                "var/lib/systemd/random-seed", "var/lib/cloud/instances/i-1/user-data.txt", "var/lib/apt/lists/x_InRelease", "tmp/.x", "tmp/y",
                "var/lib/deepsite/contracts/image_packages.json", "home/debian/.ssh/authorized_keys")
        for path in gone:
            self.put(path, "x")
        self.put("var/log/auth.log", "Accepted publickey")

        self.assertEqual(self.found(), [])

        self.assertEqual([path for path in gone if self.has(path)], [])
        self.assertFalse(self.has("root/.ssh/authorized_keys"))
        self.assertTrue(self.has("root/.ssh"), "LXD writes login keys into a folder that exists")
        self.assertEqual(self.text("etc/machine-id"), "")
        self.assertEqual(self.text("etc/hostname"), "localhost\n")
        self.assertEqual(self.text("etc/hosts"), "127.0.0.1 localhost\n")
        self.assertEqual(self.text("var/log/auth.log"), "")

    def test_removes_what_roles_write_and_packages_made(self):
        self.put("etc/munge/munge.key", "made by the package")

        self.assertEqual(self.found(paths=["/etc/munge/munge.key"]), [])

        self.assertFalse(self.has("etc/munge/munge.key"))

    def test_finds_keys_wherever_they_are(self):
        self.put("opt/a.txt", "notes\n" + KEY)
        self.put("opt/b.json", '{"key": "%s"}' % KEY.replace("\n", "\\n"))
        self.put("opt/encrypted.pem", KEY.replace("OPENSSH", "RSA").replace("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n", 1))
        self.put("etc/munge/munge.key", "of a package that no role configures")

        self.assertEqual(self.found(), [
            ("/etc/munge/munge.key", "a key of MUNGE"),
            ("/opt/a.txt", "a private key"),
            ("/opt/b.json", "a private key"),
            ("/opt/encrypted.pem", "a private key"),
        ])

    def test_finds_a_key_across_two_chunks(self):
        chunk = self.script["CHUNK"]
        self.put("opt/large", "x" * (chunk - 40) + KEY)

        self.assertEqual(self.found(), [("/opt/large", "a private key")])

    def test_programs_and_packages_may_name_keys(self):
        self.put("usr/lib/libssl.so", "\0-----BEGIN RSA PRIVATE KEY-----\0-----END RSA PRIVATE KEY-----\0")
        self.put("usr/share/doc/x/example.pem", KEY)
        self.put("var/lib/dpkg/info/x.md5sums", "%s  usr/share/doc/x/example.pem\n" % hashlib.md5(KEY.encode()).hexdigest())

        self.assertEqual(self.found(), [])

        self.put("usr/share/doc/x/example.pem", KEY + "changed since\n")
        self.assertEqual(self.found(), [("/usr/share/doc/x/example.pem", "a private key")])

    def test_finds_passwords(self):
        self.put("etc/shadow", "root:$y$j9T$salt$hash:19000::::::\nalice:!$6$salt$hash:19000::::::\nbob:!:19000::::::\n")
        self.put("etc/apt/sources.list.d/lab.sources", "URIs: https://user:pass@repo.example.org/debian\n")
        self.put("root/.my.cnf", "password=x\n")

        self.assertEqual(self.found(), [
            ("/etc/shadow", "the password of root"),
            ("/etc/shadow", "the password of alice"),
            ("/etc/apt/sources.list.d/lab.sources", "a password in the address of a package repository"),
            ("/root/.my.cnf", "a file of passwords"),
        ])

    def test_finds_the_machines_own_secrets(self):
        self.put("srv/x.bin", "before THE-VALUE-OF-A-SECRET after")

        self.assertEqual(self.found(secrets=["THE-VALUE-OF-A-SECRET"]), [("/srv/x.bin", "a secret of the machine that the image is made of")])

    def test_other_login_keys_are_found_and_links_are_not_followed(self):
        self.put("srv/alice/.ssh/authorized_keys", "ssh-ed25519 AAAA alice\n")
        os.makedirs(os.path.join(self.root, "elsewhere"))
        os.symlink("/etc", os.path.join(self.root, "elsewhere", "etc"))

        self.assertEqual(self.found(), [("/srv/alice/.ssh/authorized_keys", "login keys")])

    def test_runs_from_standard_input_as_deepsite_sends_it(self):
        with open(SEAL, encoding="utf-8") as stream:
            script = stream.read() + "\nmain('seal', json.loads('%s'), %r)\n" % ('{\\"units\\": [], \\"before\\": [], \\"paths\\": [], \\"secrets\\": []}', self.root)
        done = subprocess.run(["python3", "-"], input=script.encode(), stdout=subprocess.PIPE, check=True)

        self.assertRegex(done.stdout.decode(), r'^\{"found": \[\], "files": \d+, "bytes": \d+\}$')


if __name__ == "__main__":
    unittest.main()
