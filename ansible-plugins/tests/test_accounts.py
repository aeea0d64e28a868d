"""Users: groups that someone else assigned stay, and users control the content of their homes."""

import argparse
import os
import pwd
import subprocess
import tempfile
import unittest

from plugins import Answer, FakeMachine
from test_probe_agrees import LIBRARY, SHELL
from ansible.module_utils.deepsite import accounts
from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite import runner
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Change


class Accounts:
    """Replaces pwd, grp and usermod."""

    def __init__(self, home):
        self.user = pwd.struct_passwd(("alice", "x", os.getuid(), os.getgid(), "", home, "/bin/sh"))
        self.members = {"staff": set(), "sudo": set(), "docker": set()}

    def getpwnam(self, name):
        if name != "alice":
            raise KeyError(name)
        return self.user

    def getgrall(self):
        return [accounts.grp.struct_group((name, "x", 1, sorted(members))) for name, members in self.members.items()]

    def usermod(self, words):
        wanted = set(words[words.index("--groups") + 1].split(",")) - {""}
        for name, members in self.members.items():
            (members.add if name in wanted else members.discard)("alice")


class Machine(FakeMachine):
    def __init__(self, known):
        super().__init__()
        self.known = known

    def _usermod(self, words):
        self.known.usermod(words)
        return Answer(0, "", "")

    def _getent(self, words):
        return Answer(0, "alice:x:1::::::", "")


class Grp:
    """The group data base of `Accounts`."""

    struct_group = accounts.grp.struct_group

    def __init__(self, known):
        self.getgrall = known.getgrall

    def getgrgid(self, gid):
        return accounts.grp.struct_group(("primary", "x", gid, []))


class GroupsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "records")
        self.known = Accounts(folder.name)
        usual = accounts.pwd, accounts.grp, hosts.grp
        self.addCleanup(self.put_back, *usual)
        accounts.pwd, accounts.grp = self.known, Grp(self.known)
        hosts.grp = accounts.grp
        self.machine = Machine(self.known)

    @staticmethod
    def put_back(users, groups, groups_of_host):
        accounts.pwd, accounts.grp, hosts.grp = users, groups, groups_of_host

    def hold(self, *groups):
        contract = {"role": "users", "items": [{"id": "user:alice", "type": "user", "phase": "before", "name": "alice", "groups": list(groups)}]}
        runner.Runner(self.machine, "users", self.folder).hold(contract, "before")
        return sorted(name for name, members in self.known.members.items() if members)

    def leave(self):
        runner.Runner(self.machine, "users", self.folder).leave(False)
        return sorted(name for name, members in self.known.members.items() if members)

    def test_a_dropped_group_is_taken_back_when_it_came_from_us(self):
        self.assertEqual(self.hold("staff", "sudo"), ["staff", "sudo"])
        self.assertEqual(self.hold("staff"), ["staff"])
        self.assertEqual(self.leave(), [])

    def test_who_was_a_member_before_stays_one(self):
        self.known.members["sudo"].add("alice")

        self.assertEqual(self.hold("staff", "sudo"), ["staff", "sudo"])
        self.assertEqual(self.hold("staff"), ["staff", "sudo"])
        self.assertEqual(self.leave(), ["sudo"])

    def test_who_became_a_member_before_we_asked_for_it_stays_one(self):
        self.hold("staff")
        self.known.members["docker"].add("alice")

        self.assertEqual(self.hold("staff", "docker"), ["docker", "staff"])
        self.assertEqual(self.hold("staff"), ["docker", "staff"])
        self.assertEqual(self.leave(), ["docker"])


class SharedHomeTest(unittest.TestCase):
    """Two machines of a site make the account, and with it the same folder below a shared /home."""

    class Host:
        def __init__(self, home):
            self.home = home
            self.commands = []

        def must(self, item_id, argv):
            self.commands.append(argv)
            if len(self.commands) == 1:
                self.meanwhile()
                raise ItemFailed(item_id, "useradd --shell failed: useradd: cannot create directory " + self.home)

        def meanwhile(self):
            os.mkdir(self.home)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.host = self.Host(os.path.join(folder.name, "alice"))
        self.kind = accounts.UserKind(self.host, None)
        self.item = {"id": "user:alice", "name": "alice", "home": self.host.home}

    def test_a_folder_that_another_machine_made_meanwhile_is_taken(self):
        self.kind.add(self.item)

        self.assertEqual(self.host.commands[0], self.host.commands[1])

    def test_a_folder_that_cannot_be_made_is_a_fault(self):
        self.host.meanwhile = lambda: None

        with self.assertRaisesRegex(ItemFailed, "cannot create directory"):
            self.kind.add(self.item)
        self.assertEqual(len(self.host.commands), 1)


class LockedTest(unittest.TestCase):
    """A locked user has an account that nobody can log in to."""

    class Host:
        def __init__(self):
            self.commands = []

        def must(self, item, argv):
            self.commands.append(argv)

    def setUp(self):
        self.host = self.Host()
        self.kind = accounts.UserKind(self.host, None)

    def test_a_new_account_is_locked_at_once(self):
        self.kind.add({"id": "user:alice", "name": "alice", "locked": True})

        self.assertEqual(self.host.commands[-1], ["usermod", "--lock", "--expiredate", "1", "--", "alice"])
        self.assertEqual(self.host.commands[0][0], "useradd")

    def test_an_account_is_locked_and_opened_again(self):
        seen = {"exists": True, "groups": [], "expired": False, "keys_sha256": None}
        locked = self.kind.wanted({"name": "alice", "locked": True}, seen, None)
        self.assertTrue(locked["expired"])

        change = argparse.Namespace(differing=["expired"], wanted=locked, seen=seen)
        self.kind.modify({"id": "user:alice", "name": "alice"}, change)
        self.assertEqual(self.host.commands, [["usermod", "--lock", "--expiredate", "1", "--", "alice"]])

        change.wanted = self.kind.wanted({"name": "alice"}, seen, None)
        self.kind.modify({"id": "user:alice", "name": "alice"}, change)
        self.assertEqual(self.host.commands[-1], ["usermod", "--expiredate", "", "--", "alice"])


class KeysTest(unittest.TestCase):
    """Module and probe read the keys alike, and neither follows a user's links."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        self.home = os.path.join(folder.name, "home")
        # When run as root, use a user without rights, so that root-only access shows.
        self.ids = (65534, 65534) if os.geteuid() == 0 else (os.getuid(), os.getgid())
        os.mkdir(self.home)
        os.mkdir(os.path.join(self.home, ".ssh"))
        self.keys = os.path.join(self.home, ".ssh", "authorized_keys")
        self.user = pwd.struct_passwd(("alice", "x", *self.ids, "", self.home, "/bin/sh"))
        for path in (self.home, os.path.join(self.home, ".ssh")):
            os.chown(path, *self.ids)

    def seen(self):
        module = accounts.keys_digest(self.user)
        if os.geteuid() == 0:
            script = ". %s\nprobe_keys %d %d %s" % (LIBRARY, *self.ids, self.home)
            probe = subprocess.run([SHELL, "-c", script], stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode()
            self.assertEqual(probe, "null" if module is None else '"%s"' % module)
        return module

    def write(self, data, path=None):
        with open(path or self.keys, "wb") as stream:
            stream.write(data)

    def test_a_plain_file_is_read(self):
        self.assertIsNone(self.seen())
        self.write(b"ssh-ed25519 AAAA\n")
        self.assertEqual(self.seen(), hosts.sha256(b"ssh-ed25519 AAAA\n"))
        os.unlink(self.keys)
        os.rmdir(os.path.dirname(self.keys))
        self.assertIsNone(self.seen())

    def test_a_link_is_not_followed(self):
        secret = os.path.join(os.path.dirname(self.home), "secret")
        self.write(b"root's", secret)
        os.symlink(secret, self.keys)
        self.assertEqual(self.seen(), "not read: a link")
        os.unlink(self.keys)
        os.rmdir(os.path.dirname(self.keys))
        os.symlink("/root/.ssh", os.path.dirname(self.keys))
        self.assertEqual(self.seen(), "not read: a link")

    def test_a_file_without_end_is_not_read(self):
        self.write(b"")
        os.truncate(self.keys, 2 ** 40)
        self.assertEqual(self.seen(), "not read: larger than 1 MiB")

    def test_a_pipe_keeps_nobody_waiting(self):
        os.mkfifo(self.keys)
        self.assertEqual(self.seen(), "not read: no plain file")

    def test_what_could_not_be_put_back_is_not_replaced(self):
        os.symlink("/etc/passwd", self.keys)
        kind = accounts.UserKind(None, None)
        accounts.pwd, usual = Known(self.user), accounts.pwd
        self.addCleanup(setattr, accounts, "pwd", usual)

        with self.assertRaises(ItemFailed) as failed:
            kind.remember({"id": "user:alice", "name": "alice", "authorized_keys": []}, {"exists": True, "groups": [], "keys_sha256": "not read: a link"})
        self.assertIn("is a link, so leaving could not put it back", failed.exception.message)


class TakenNumbersTest(unittest.TestCase):
    """Who has the number, and what to type; the host's tools say only that it is taken."""

    def setUp(self):
        self.machine = FakeMachine()
        self.usual = accounts.pwd, accounts.grp
        accounts.pwd = Known(pwd.struct_passwd(("alice", "x", 2001, 2001, "", "/home/alice", "/bin/sh")))
        accounts.grp = Known(accounts.grp.struct_group(("alice", "x", 2001, [])))
        self.addCleanup(self.put_back)

    def put_back(self):
        accounts.pwd, accounts.grp = self.usual

    def refused(self, kind, item):
        change = Change(item, kind.look(item), kind.wanted(item, {"exists": False, "groups": []}, None))
        with self.assertRaises(ItemFailed) as failed:
            kind.apply(change, {})
        self.assertEqual(self.machine.calls, [])
        return failed.exception.message

    def test_of_an_account(self):
        said = self.refused(accounts.UserKind(self.machine, None), {"id": "user:bob", "name": "bob", "uid": 2001, "group": "bob"})
        self.assertIn("uid 2001 of bob belongs to the account alice on this host", said)
        self.assertIn("give bob another uid under users.bob.uid", said)

    def test_of_a_group(self):
        said = self.refused(accounts.GroupKind(self.machine, None), {"id": "group:bob", "name": "bob", "gid": 2001})
        self.assertIn("gid 2001 of bob belongs to the group alice on this host", said)
        self.assertIn("give bob another uid under users.bob.uid", said)


class Known:
    """A data base of one user, or of one group."""

    def __init__(self, entry):
        self.entry = entry

    def getpwnam(self, name):
        if name != self.entry.pw_name:
            raise KeyError(name)
        return self.entry

    def getpwuid(self, uid):
        if uid != self.entry.pw_uid:
            raise KeyError(uid)
        return self.entry

    def getgrnam(self, name):
        if name != self.entry.gr_name:
            raise KeyError(name)
        return self.entry

    def getgrgid(self, gid):
        if gid != self.entry.gr_gid:
            raise KeyError(gid)
        return self.entry


if __name__ == "__main__":
    unittest.main()
