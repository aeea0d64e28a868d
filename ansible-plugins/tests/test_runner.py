"""A contract as a whole: held, held again, revised, killed, left."""

import os
import stat
import tempfile
import unittest

from plugins import GROUP, OWNER, FakeMachine
from ansible.module_utils.deepsite import services
from ansible.module_utils.deepsite.host import Answer, ItemFailed, sha256
from ansible.module_utils.deepsite.runner import Runner


class RunnerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.machine = FakeMachine({"motd": b"hello\n", "conf": b"x = 1\n"})
        self.machine.units = {"cron.service": {}}
        first_look = services.FIRST_LOOK
        services.FIRST_LOOK = 0
        self.addCleanup(setattr, services, "FIRST_LOOK", first_look)

    def path(self, name, text=None):
        path = os.path.join(self.root, name)
        if text is not None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        return path

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    def file(self, name="etc/motd", source="motd", **members):
        return dict({"id": "file:" + name, "type": "file", "phase": "before", "path": self.path(name), "source": source, "owner": OWNER, "group": GROUP,
                     "mode": "0640", "sha256": sha256(self.machine.bodies[source])}, **members)

    def service(self, **members):
        return dict({"id": "service:cron.service", "type": "service", "phase": "after", "unit": "cron.service"}, **members)

    def runner(self, role="motd", check=False):
        self.machine.check = check
        return Runner(self.machine, role, self.path("var/deepsite"))

    def hold(self, *items, role="motd", check=False, actions=()):
        contract = {"role": role, "fingerprint": "f", "items": list(items), "actions": list(actions)}
        results = []
        for phase in ("before", "after"):
            runner = self.runner(role, check)
            try:
                self.due = runner.hold(contract, phase) or getattr(self, "due", [])
            finally:
                results += runner.items
                self.last = runner
        return {each["id"]: each for each in results}

    def changed(self, results):
        return sorted(name for name, each in results.items() if each["changed"])

    def leave(self, role="motd", **options):
        runner = self.runner(role)
        runner.leave(options.get("remove_packages", False))
        return {each["id"]: each for each in runner.items}

    def test_holds_and_then_changes_nothing(self):
        self.assertEqual(self.changed(self.hold(self.file(), self.service())), ["file:etc/motd"])
        self.assertEqual(self.text("etc/motd"), "hello\n")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("etc/motd")).st_mode), 0o640)

        self.assertEqual(self.changed(self.hold(self.file(), self.service())), [])

    def test_check_shows_and_touches_nothing(self):
        self.path("etc/motd", "theirs\n")

        results = self.hold(self.file(), self.service(), check=True)

        self.assertEqual(self.changed(results), ["file:etc/motd"])
        self.assertEqual(self.text("etc/motd"), "theirs\n")
        self.assertFalse(os.path.exists(self.path("var")))

    def test_diff_shows_the_texts_but_not_of_a_secret(self):
        self.path("etc/motd", "theirs\n")
        runner = self.runner(check=True)
        runner.hold({"role": "motd", "items": [self.file()]}, "before")
        self.assertEqual((runner.diffs[0]["before"], runner.diffs[0]["after"]), ("theirs\n", "hello\n"))

        runner = self.runner(check=True)
        runner.hold({"role": "motd", "items": [dict(self.file(), secret=True)]}, "before")
        self.assertNotIn("hello", str(runner.diffs) + str(runner.items))
        self.assertNotIn(sha256(b"hello\n"), str(runner.diffs) + str(runner.items))

    def test_leaving_puts_back_what_was_there(self):
        self.path("etc/motd", "theirs\n")
        os.chmod(self.path("etc/motd"), 0o604)
        os.symlink("elsewhere", self.path("etc/link"))
        link = {"id": "link:l", "type": "link", "phase": "before", "path": self.path("etc/link"), "to": "ours"}
        new = self.file("new/folder/conf", "conf")
        folder = {"id": "directory:d", "type": "directory", "phase": "before", "path": self.path("made"), "owner": OWNER, "group": GROUP, "mode": "0700"}
        self.hold(folder, link, self.file(), new)

        self.leave()

        self.assertEqual(self.text("etc/motd"), "theirs\n")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("etc/motd")).st_mode), 0o604)
        self.assertEqual(os.readlink(self.path("etc/link")), "elsewhere")
        self.assertEqual(sorted(os.listdir(self.root)), ["etc", "var"])
        self.assertEqual(os.listdir(self.path("var/deepsite")), ["lock"])

    def test_leaving_keeps_a_folder_that_somebody_filled(self):
        folder = {"id": "directory:d", "type": "directory", "phase": "before", "path": self.path("made"), "owner": OWNER, "group": GROUP, "mode": "0700"}
        self.hold(folder)
        self.path("made/theirs", "x")

        self.assertEqual(self.leave()["directory:d"]["msg"], "kept: not empty")

    def test_leaving_twice_does_nothing(self):
        self.hold(self.file())
        self.leave()
        self.assertEqual(self.leave(), {})

    def test_an_item_that_a_newer_contract_dropped_is_left(self):
        self.hold(self.file(), self.file("etc/conf", "conf"))

        results = self.hold(self.file())

        self.assertEqual(results["file:etc/conf"]["msg"], "deleted")
        self.assertFalse(os.path.exists(self.path("etc/conf")))

    def test_an_item_of_two_roles_stays_until_both_left(self):
        self.path("etc/motd", "theirs\n")
        self.hold(self.file(), role="one")
        self.hold(self.file(), role="two")

        self.assertEqual(self.leave("one")["file:etc/motd"]["msg"], "role two holds it too")
        self.assertEqual(self.text("etc/motd"), "hello\n")
        self.leave("two")
        self.assertEqual(self.text("etc/motd"), "theirs\n")

    def test_restarts_and_reloads_units_of_changed_items_once(self):
        items = [self.file(restarts=["cron.service"], reloads=["cron.service"]), self.file("etc/conf", "conf", restarts=["cron.service"]), self.service()]

        self.hold(*items)
        self.assertEqual(self.machine.calls, ["systemctl restart cron.service"])
        self.hold(*items)
        self.assertEqual(self.machine.calls, ["systemctl restart cron.service"])

    def test_a_unit_that_does_not_run_is_started_and_not_restarted(self):
        self.machine.units["cron.service"] = {"ActiveState": "inactive", "UnitFileState": "disabled"}

        self.hold(self.file(restarts=["cron.service"]), self.service())

        self.assertEqual(self.machine.calls, ["systemctl enable cron.service", "systemctl start cron.service"])

    def test_a_unit_that_is_not_to_run_is_stopped_and_not_restarted(self):
        self.hold(self.file(restarts=["cron.service"]), self.service(active=False, enabled=False))

        self.assertEqual(self.machine.calls, ["systemctl disable cron.service", "systemctl stop cron.service"])

    def test_a_killed_run_is_restarted_by_the_next_one(self):
        killed = self.runner()
        killed.settle = lambda: (_ for _ in ()).throw(KeyboardInterrupt())
        with self.assertRaises(KeyboardInterrupt):
            killed.hold({"role": "motd", "items": [self.file(restarts=["cron.service"])]}, "before")

        self.hold(self.file(restarts=["cron.service"]))

        self.assertEqual(self.machine.calls, ["systemctl restart cron.service"])
        self.assertEqual(self.changed(self.hold(self.file(restarts=["cron.service"]))), [])

    def test_reads_unit_files_again_before_services_start(self):
        folders = services.UNIT_FOLDERS
        services.UNIT_FOLDERS = (self.path("units/"),)
        self.addCleanup(setattr, services, "UNIT_FOLDERS", folders)
        self.machine.units["cron.service"] = {"ActiveState": "inactive"}

        self.hold(self.file("units/cron.service"), self.service())

        self.assertEqual(self.machine.calls, ["systemctl daemon-reload", "systemctl start cron.service"])

    def test_leaving_returns_a_service_to_the_state_found(self):
        self.machine.units["cron.service"] = {"ActiveState": "inactive", "UnitFileState": "disabled"}
        self.hold(self.service())
        self.machine.calls = []

        self.leave()

        self.assertEqual(self.machine.calls, ["systemctl stop cron.service", "systemctl disable cron.service"])

    def test_a_static_unit_needs_no_enabling(self):
        self.machine.units["cron.service"] = {"UnitFileState": "static"}
        self.assertEqual(self.changed(self.hold(self.service())), [])

    def test_an_unknown_unit_is_named(self):
        self.machine.units = {}
        with self.assertRaises(ItemFailed) as failed:
            self.hold(self.service())
        self.assertIn("systemd knows no unit cron.service", failed.exception.message)

    def test_a_daemon_that_dies_at_once_is_a_failure(self):
        self.machine.units["cron.service"] = {"ActiveState": "inactive"}
        start = self.machine._systemctl
        self.machine._systemctl = lambda words: Answer(0, "", "") if words[0] == "start" else start(words)
        with self.assertRaises(ItemFailed) as failed:
            self.hold(self.service())
        self.assertIn("does not stay up", failed.exception.message)

    def test_a_fault_in_the_journal_of_a_dead_daemon_is_a_line_of_its_own(self):
        self.machine.units["cron.service"] = {"ActiveState": "inactive"}
        then = [{"ActiveState": "deactivating", "SubState": "stop-post"}, {"ActiveState": "activating", "SubState": "auto-restart"}]
        started, run, fault = [], self.machine.run, "FAULT\tDS3237\twhy\tfix"
        said = "Started.\n%s\ncron.service: Failed with result 'exit-code'." % fault

        def answer(argv, **options):
            if argv[:2] == ["systemctl", "start"]:
                started.append(argv)
                return Answer(0, "", "")
            if argv[0] == "journalctl":
                return Answer(0, "" if then else said, "")
            if started and then:
                self.machine.units["cron.service"] = then.pop(0)
            return run(argv, **options)

        self.machine.run = answer
        with self.assertRaises(ItemFailed) as failed:
            self.hold(self.service())
        self.assertEqual(failed.exception.message.splitlines()[1:], [fault])

    def test_a_failed_item_stops_the_rest_and_is_named(self):
        wrong = self.file("etc/a", owner="no-such-user")
        with self.assertRaises(ItemFailed) as failed:
            self.hold(wrong, self.file())
        self.assertEqual((failed.exception.item_id, failed.exception.message), ("file:etc/a", "owner no-such-user: no such user on this host"))
        self.assertFalse(os.path.exists(self.path("etc/motd")))

    def test_a_body_that_is_not_the_contracts_is_refused(self):
        with self.assertRaises(ItemFailed):
            self.hold(self.file(sha256="0" * 64))

    def test_actions_are_due_until_their_probe_says_yes_and_undone_when_left(self):
        done = self.path("done")
        action = {"id": "join", "done": ["test", "-e", done], "run": "join.yml", "undo": "join_undo.yml"}
        sentence = {"id": "other", "done": ["never"], "run": "other.yml", "undo": "there is nothing to undo"}
        self.machine.answers = {("test", "-e", done): Answer(1, "", ""), ("never",): Answer(0, "", "")}
        contract = {"role": "motd", "items": [], "actions": [action, sentence]}

        self.assertEqual(self.runner().hold(contract, "before"), ["join"])
        with self.assertRaises(ItemFailed) as failed:
            self.runner().hold(contract, "after")
        self.assertEqual(failed.exception.item_id, "action:join")
        self.machine.answers[("test", "-e", done)] = Answer(0, "", "")
        self.runner().hold(contract, "after")
        self.assertEqual(self.runner().hold(contract, "before"), [])
        self.assertEqual(self.runner().ours(contract), ["join"])
        # A part of it is gone: the rest must still be undone.
        self.machine.answers[("test", "-e", done)] = Answer(1, "", "")
        self.assertEqual(self.runner().ours(contract), ["join"])

    def test_a_slow_answer_is_no_reason_to_run_an_action_again(self):
        action = {"id": "join", "done": ["slow"], "run": "join.yml", "undo": "there is nothing to undo"}
        self.machine.answers = {("slow",): Answer(124, "", "slow: no answer within 120 s")}

        with self.assertRaises(ItemFailed) as failed:
            self.runner().hold({"role": "motd", "items": [], "actions": [action]}, "before")

        self.assertIn("no answer within 120 s", str(failed.exception))

    def test_some_types_can_be_left_before_the_rest(self):
        self.hold(self.file(), self.service())

        self.runner().leave(False, ["service"])
        self.assertEqual(self.text("etc/motd"), "hello\n")
        self.assertEqual(self.changed(self.hold(self.file())), [])

        self.leave()
        self.assertFalse(os.path.exists(self.path("etc/motd")))

    def test_an_action_that_was_done_before_us_is_not_undone(self):
        action = {"id": "join", "done": ["yes"], "run": "join.yml", "undo": "join_undo.yml"}
        self.machine.answers = {("yes",): Answer(0, "", "")}
        contract = {"role": "motd", "items": [], "actions": [action]}
        self.runner().hold(contract, "before")
        self.runner().hold(contract, "after")

        self.assertEqual(self.runner().ours(contract), [])

    def test_a_managed_block_comes_changes_and_goes(self):
        self.path("etc/hosts", "127.0.0.1 localhost")
        line = {"id": "line:hosts", "type": "line", "phase": "before", "path": self.path("etc/hosts"), "block": "10.0.0.1 a"}
        self.hold(line)
        self.hold(dict(line, block="10.0.0.2 a\n10.0.0.3 b\n"))
        self.assertEqual(self.text("etc/hosts"), "127.0.0.1 localhost\n# BEGIN deepsite line:hosts\n10.0.0.2 a\n10.0.0.3 b\n# END deepsite line:hosts\n")

        self.leave()

        self.assertEqual(self.text("etc/hosts"), "127.0.0.1 localhost")


if __name__ == "__main__":
    unittest.main()
