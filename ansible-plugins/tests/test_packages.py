"""Packages: one call of apt, lists read only when that can help, no service started, no other package removed."""

import os
import tempfile
import unittest

from plugins import Answer, AptMachine
from ansible.module_utils.deepsite import packages
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Change
from ansible.module_utils.deepsite.packages import NothingStarted, PackageKind


def item(name, **members):
    return dict({"id": "package:" + name, "type": "package", "name": name}, **members)


class PackagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        usual = {name: getattr(packages, name) for name in ("POLICY", "POLICY_KEPT", "LISTS", "STAMP", "REFUSED")}
        self.addCleanup(lambda: [setattr(packages, name, value) for name, value in usual.items()])
        for name in usual:
            setattr(packages, name, os.path.join(folder.name, name))
        os.mkdir(packages.LISTS)
        self.write(os.path.join(packages.LISTS, "mirror_dists_bookworm_InRelease"), "")
        self.machine = AptMachine()
        self.machine.available = {"munge": "0.5", "slurmd": "22", "old": "1"}
        self.kind = PackageKind(self.machine, None)

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)

    def hold(self, *items):
        seen = self.kind.look_all(list(items))
        changes = [Change(each, found, self.kind.wanted(each, found, None)) for each, found in zip(items, seen)]
        befores = [self.kind.remember(change.item, change.seen) for change in changes]
        wrong = [number for number, change in enumerate(changes) if change.differing]
        if wrong:
            self.kind.apply_all([changes[number] for number in wrong], [befores[number] for number in wrong])
        return befores

    def test_installs_and_removes_in_one_call(self):
        self.machine.installed = {"old": "1"}

        self.hold(item("munge"), item("slurmd"), item("old", state="absent"))

        self.assertEqual(self.machine.calls, ["apt-get install munge slurmd old-"])
        self.assertEqual(sorted(self.machine.installed), ["munge", "slurmd"])

    def test_does_nothing_when_all_is_there(self):
        self.machine.installed = {"munge": "0.5"}

        self.hold(item("munge"), item("old", state="absent"))

        self.assertEqual(self.machine.calls, [])

    def test_reads_the_lists_again_for_an_unknown_package(self):
        self.machine.after_update = {"new": "1"}

        self.hold(item("new"))

        self.assertEqual(self.machine.calls, ["apt-get update", "apt-get install new"])

    def test_reads_missing_lists_first(self):
        os.unlink(os.path.join(packages.LISTS, "mirror_dists_bookworm_InRelease"))

        self.hold(item("munge"))

        self.assertEqual(self.machine.calls[0], "apt-get update")

    def test_reads_old_lists_first(self):
        os.utime(packages.LISTS, (0, 0))

        self.hold(item("munge"))

        self.assertEqual(self.machine.calls[0], "apt-get update")

    def test_names_every_package_that_does_not_exist(self):
        with self.assertRaises(ItemFailed) as failed:
            self.hold(item("munge"), item("slurmx"), item("slurmy"))

        self.assertEqual(failed.exception.message, "packages slurmx, slurmy: no version in the configured repositories")
        self.assertEqual(self.machine.installed, {})

    def test_finishes_what_a_killed_run_left_half_done(self):
        self.machine.unfinished = "The following packages have been unpacked but not yet configured: x"

        self.hold(item("munge"))

        self.assertEqual(self.machine.calls, ["dpkg --force-confold --configure -a", "apt-get install munge"])

    def lock(self, command, times, said):
        """The next `times` calls of a command of this machine find a lock held."""
        usual, left = getattr(self.machine, command), [times]

        def called(words):
            if "--simulate" in words or not left[0]:
                return usual(words)
            left[0] -= 1
            return Answer(100, "", said)
        setattr(self.machine, command, called)

    def test_waits_for_every_lock_of_apt_and_dpkg(self):
        self.addCleanup(setattr, packages, "LOOK_EVERY", packages.LOOK_EVERY)
        packages.LOOK_EVERY = 0
        os.unlink(os.path.join(packages.LISTS, "mirror_dists_bookworm_InRelease"))
        for said in ("E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (apt-get)\nE: Unable to lock directory /var/lib/apt/lists/",
                     "E: Could not get lock /var/cache/apt/archives/lock. It is held by process 812 (apt-get)",
                     "E: Could not get lock /var/lib/dpkg/lock-frontend - open (11: Resource temporarily unavailable)\n"
                     "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?",
                     "dpkg: error: dpkg database lock was locked by another process with pid 812"):
            self.machine.installed, self.machine.calls = {}, []
            self.lock("_apt_get", 3, said)
            self.lock("_apt_mark", 1, said)
            self.hold(item("munge", held=True))
            self.assertEqual(self.machine.calls, ["apt-get update", "apt-get install munge", "apt-mark hold munge"], said)

    def test_another_apt_meanwhile_starts_its_services(self):
        """The policy against starting services is absent while waiting: it would also affect the other apt's packages."""
        seen = []
        self.addCleanup(setattr, packages.time, "sleep", packages.time.sleep)
        packages.time.sleep = lambda _: seen.append(os.path.exists(packages.POLICY))
        self.lock("_apt_get", 2, "E: Could not get lock /var/cache/apt/archives/lock. It is held by process 812 (apt-get)")

        self.hold(item("munge"))

        self.assertEqual(seen, [False, False])
        self.assertEqual(self.machine.calls, ["apt-get install munge"])

    def test_tells_for_whom_it_waited_in_vain(self):
        self.addCleanup(setattr, packages, "LOCK_PATIENCE", packages.LOCK_PATIENCE)
        packages.LOCK_PATIENCE = -1
        self.lock("_apt_get", 9, "E: Could not get lock /var/cache/apt/archives/lock. It is held by process 812 (apt-get)")

        with self.assertRaises(ItemFailed) as failed:
            self.hold(item("munge"))

        self.assertEqual(failed.exception.message, "apt-get -y failed: waited -1 s for another apt or dpkg: "
                                                   "E: Could not get lock /var/cache/apt/archives/lock. It is held by process 812 (apt-get)")

    def test_notes_which_repository_apt_does_not_trust_until_it_does(self):
        said = ("W: GPG error: https://pkgs.example/deb  InRelease: The following signatures were invalid: EXPKEYSIG 234654DA9A296436 x\n"
                "E: The repository 'https://pkgs.example/deb  InRelease' is not signed.\nN: Updating from such a repository can't be done securely.")
        self.lock("_apt_get", 1, said)
        with self.assertRaises(ItemFailed) as failed:
            self.hold(item("new"))
        self.assertIn("EXPKEYSIG", failed.exception.message)
        with open(packages.REFUSED, encoding="utf-8") as stream:
            self.assertEqual(stream.read().splitlines(), said.splitlines()[:2])

        self.machine.after_update = {"new": "1"}
        self.hold(item("new"))
        self.assertFalse(os.path.exists(packages.REFUSED))

    def test_says_when_a_package_is_virtual(self):
        self.machine.available["mta"] = "1"
        apt_get = self.machine._apt_get
        self.machine._apt_get = lambda words: apt_get(words) if "--simulate" in words else Answer(0, "", "")

        with self.assertRaises(ItemFailed) as failed:
            self.hold(item("mta"))

        self.assertIn("virtual", failed.exception.message)

    def test_holds_and_lets_go(self):
        self.hold(item("munge", held=True))
        self.assertEqual(self.machine.held, {"munge"})

        self.hold(item("munge", held=False))
        self.assertEqual(self.machine.held, set())

    def test_refuses_to_remove_what_the_contract_does_not_name(self):
        self.machine.installed = {"old": "1", "needs-old": "1"}
        self.machine.needs = {"needs-old": ["old"]}

        with self.assertRaises(ItemFailed) as failed:
            self.hold(item("old", state="absent"))

        self.assertIn("needs-old", failed.exception.message)

    def test_leaving_keeps_packages_unless_asked(self):
        before, = self.hold(item("munge"))

        said = self.kind.leave_all([item("munge")], [before])

        self.assertIn("munge", self.machine.installed)
        self.assertTrue(said["package:munge"].startswith("kept"))

    def test_leaving_removes_what_came_with_us_and_only_that(self):
        self.machine.installed = {"libother": "1", "slurmd": "22"}
        self.machine.needs = {"munge": ["libmunge"]}
        self.machine.available["libmunge"] = "0.5"
        befores = self.hold(item("munge"), item("slurmd"))
        self.kind.remove_packages = True

        self.kind.leave_all([item("munge"), item("slurmd")], befores)

        self.assertEqual(sorted(self.machine.installed), ["libother", "slurmd"])

    def test_leaving_keeps_a_package_that_somebody_needs(self):
        before, = self.hold(item("munge"))
        self.machine.installed["theirs"] = "1"
        self.machine.needs = {"theirs": ["munge"]}
        self.kind.remove_packages = True

        said = self.kind.leave_all([item("munge")], [before])

        self.assertEqual(said["package:munge"], "kept: theirs needs it")

    def test_policy_is_placed_and_the_one_found_put_back(self):
        self.write(packages.POLICY, "theirs")

        with NothingStarted():
            with open(packages.POLICY, encoding="utf-8") as stream:
                self.assertIn("exit 101", stream.read())

        with open(packages.POLICY, encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "theirs")

    def test_policy_of_a_killed_run_is_cleared_up(self):
        self.write(packages.POLICY_KEPT, "theirs")
        self.write(packages.POLICY, packages.POLICY_TEXT)

        NothingStarted.recover()

        with open(packages.POLICY, encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "theirs")
        self.assertFalse(os.path.exists(packages.POLICY_KEPT))


if __name__ == "__main__":
    unittest.main()
