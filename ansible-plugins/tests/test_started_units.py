"""Units that were started: when they are looked at, and what is told of one that does not stay up."""

import tempfile
import unittest

from plugins import FakeMachine
from ansible.module_utils.deepsite import probes, services
from ansible.module_utils.deepsite.host import Answer, ItemFailed
from ansible.module_utils.deepsite.runner import Runner


class FakeClock:
    """Stands for the module time, in tenths of a second, so that sums are exact."""

    def __init__(self):
        self.now = 0
        self.slept = 0

    def monotonic(self):
        return self.now / 10

    def sleep(self, seconds):
        self.now += round(seconds * 10)
        self.slept += round(seconds * 10)


class StartedUnitsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.machine = FakeMachine()
        # What happens to a unit once it was started or restarted: its states, one for each look.
        self.then = {}
        self.clock = FakeClock()
        for module in (services, probes):
            self.addCleanup(setattr, module, "time", module.time)
            module.time = self.clock
        self.plain = self.machine._systemctl
        self.machine._systemctl = self.systemctl

    def systemctl(self, words):
        unit = words[-1]
        answer = self.plain(words)
        if words[0] in ("start", "restart", "reload-or-restart"):
            self.machine.units[unit].update(started=True)
        return answer

    def unit(self, name, type_, *then, state="inactive"):
        """A unit, and what it is at each look after its start; the last state stays."""
        self.machine.units[name] = {"ActiveState": state, "Type": type_, "NRestarts": "0"}
        shown, then = self.machine.shown, list(then)

        def shown_now(asked):
            unit = self.machine.units.get(asked, {})
            if asked == name and "started" in unit and then:
                unit.update(then.pop(0))
            return "\n".join(line for line in shown(asked).splitlines() if not line.startswith("started="))

        self.machine.shown = shown_now

    def service(self, name):
        return {"id": "service:" + name, "type": "service", "phase": "after", "unit": name}

    def probe(self, answer, takes=0):
        """A probe with this exit code that takes tenths of a second."""
        run, command = self.machine.run, ["probe", str(answer), str(takes)]

        def answered(argv, **options):
            if argv == command:
                self.clock.now += takes
                return Answer(answer, "", "refused" if answer else "")
            return run(argv, **options)

        self.machine.run = answered
        return {"id": "probe:p", "type": "probe", "phase": "after", "run": command}

    def hold(self, *items, phase="after", **contract):
        self.runner = Runner(self.machine, "motd", self.folder)
        self.runner.hold(dict(contract, role="motd", items=list(items)), phase)

    def fails(self, *items, **contract):
        with self.assertRaises(ItemFailed) as failed:
            self.hold(*items, **contract)
        return failed.exception

    def test_a_unit_that_says_when_it_is_ready_needs_no_wait(self):
        for type_ in ("notify", "notify-reload", "dbus", "oneshot", "forking", ""):
            self.unit("a.service", type_)
            self.hold(self.service("a.service"))
            self.assertEqual((type_, self.clock.slept), (type_, 0))
        self.assertEqual(self.machine.calls, ["systemctl start a.service"] * 6)

    def test_others_are_looked_at_a_second_after_their_start(self):
        for number, type_ in enumerate(("simple", "exec", "idle"), 1):
            self.unit("a.service", type_)
            self.hold(self.service("a.service"))
            self.assertEqual((type_, self.clock.slept), (type_, 10 * number))

    def test_a_reload_is_waited_for_unless_systemd_knows_its_end(self):
        file = {"id": "link:l", "type": "link", "phase": "after", "path": self.folder + "/link", "to": "x", "reloads": ["a.service"]}
        for number, (type_, slept) in enumerate((("notify", 10), ("forking", 20), ("notify-reload", 20), ("simple", 30))):
            self.unit("a.service", type_, state="active")
            self.hold(dict(file, to=str(number)), self.service("a.service"))
            self.assertEqual((type_, self.clock.slept), (type_, slept))
        self.assertEqual(self.machine.calls, ["systemctl reload-or-restart a.service"] * 4)

    def test_what_follows_is_a_part_of_the_wait(self):
        self.unit("a.service", "simple")
        self.hold(self.service("a.service"), self.probe(0, takes=7))
        self.assertEqual(self.clock.slept, 3)

        self.unit("a.service", "simple")
        self.hold(self.service("a.service"), self.probe(0, takes=12))
        self.assertEqual(self.clock.slept, 3)

    def test_a_unit_that_stopped_at_the_end_of_the_wait_is_a_failure(self):
        for type_ in ("simple", "forking"):
            self.unit("a.service", type_, {}, {"ActiveState": "failed", "SubState": "failed"})
            failed = self.fails(self.service("a.service"))
            self.assertEqual((failed.item_id, failed.message), ("service:a.service", "a.service does not stay up: it is failed (failed)"))

    def test_actions_are_not_confirmed_before_the_look(self):
        action = {"id": "join", "done": ["probe", "0", "0"], "run": "join.yml", "undo": "there is nothing to undo"}
        self.machine.answers[("probe", "0", "0")] = Answer(1, "", "")
        self.hold(phase="before", actions=[action])
        self.machine.answers[("probe", "0", "0")] = Answer(0, "", "")
        self.unit("a.service", "simple", {}, {"ActiveState": "failed", "SubState": "failed"})

        self.fails(self.service("a.service"), actions=[action])

        self.assertEqual(self.runner.record.actions, {"join": "due"})

    def test_no_action_is_due_before_the_look(self):
        link = {"id": "link:l", "type": "link", "phase": "before", "path": self.folder + "/link", "to": "x", "restarts": ["a.service"]}
        self.unit("a.service", "simple", {}, {"ActiveState": "failed", "SubState": "failed"}, state="active")

        self.assertEqual(self.fails(link, phase="before", actions=[{"id": "join", "done": ["never"]}]).item_id, "service:a.service")
        self.assertEqual(self.runner.record.actions, {})

    def test_a_unit_that_keeps_restarting_is_a_failure_while_it_is_active(self):
        self.unit("a.service", "simple", {"NRestarts": "2"}, {"NRestarts": "5"})
        failed = self.fails(self.service("a.service"))
        self.assertEqual((failed.item_id, failed.message), (
            "service:a.service", "a.service does not stay up: it ended, systemd started it again (3 so far), and now it is active (running)"))

    def test_restarts_of_former_times_are_no_failure(self):
        self.unit("a.service", "simple", {"NRestarts": "2"}, {"NRestarts": "2"})
        self.hold(self.service("a.service"))

    def test_a_unit_that_did_not_stay_up_is_restarted_and_looked_at_by_the_next_run(self):
        self.unit("a.service", "simple", {}, {"NRestarts": "3"}, {"NRestarts": "3"}, {"NRestarts": "3"}, {"NRestarts": "3"}, {"NRestarts": "6"})
        self.fails(self.service("a.service"))

        self.assertIn("(3 so far)", self.fails(self.service("a.service")).message)
        self.assertEqual(self.machine.calls, ["systemctl start a.service", "systemctl restart a.service"])

        self.hold(self.service("a.service"))
        self.machine.calls = []
        self.hold(self.service("a.service"))
        self.assertEqual(self.machine.calls, [])

    def test_a_probe_that_fails_for_a_dead_unit_names_the_unit_with_its_journal(self):
        self.unit("a.service", "simple", {}, {"ActiveState": "activating", "SubState": "auto-restart"})
        self.machine._journalctl = lambda words: Answer(0, "bad line 3\n", "")

        failed = self.fails(self.service("a.service"), self.probe(1))

        self.assertEqual(failed.item_id, "service:a.service")
        self.assertIn("its journal ends: bad line 3", failed.message)
        self.assertEqual(self.clock.slept, 0)

    def test_a_probe_that_fails_while_units_run_names_itself(self):
        self.unit("a.service", "simple")
        self.assertEqual(self.fails(self.service("a.service"), self.probe(1)).item_id, "probe:p")

    def test_a_unit_that_cannot_start_without_a_dead_one_names_that_one(self):
        self.unit("a.service", "simple", {}, {"ActiveState": "failed", "SubState": "failed"})
        self.unit("b.service", "notify")
        plain = self.machine._systemctl
        self.machine._systemctl = lambda words: Answer(1, "", "no a") if words == ["start", "b.service"] else plain(words)

        self.assertEqual(self.fails(self.service("a.service"), self.service("b.service")).item_id, "service:a.service")

    def test_a_unit_between_two_states_is_waited_for(self):
        self.unit("a.service", "notify", {}, {"ActiveState": "inactive", "SubState": "dead", "Job": "7"}, {"ActiveState": "activating", "Job": "7"},
                  {"ActiveState": "active", "Job": ""})
        self.hold(self.service("a.service"))
        self.assertEqual(self.clock.slept, 10)

        self.unit("a.service", "notify", {}, {"ActiveState": "activating", "SubState": "start"})
        self.assertIn("it is activating (start)", self.fails(self.service("a.service")).message)

    def test_leaving_looks_at_what_it_restarted(self):
        link = {"id": "link:l", "type": "link", "phase": "after", "path": self.folder + "/link", "to": "x", "restarts": ["a.service"]}
        self.hold(link)
        self.unit("a.service", "simple", {}, {"ActiveState": "failed", "SubState": "failed"}, state="active")

        with self.assertRaises(ItemFailed) as failed:
            Runner(self.machine, "motd", self.folder).leave(False)

        self.assertEqual(failed.exception.item_id, "service:a.service")


if __name__ == "__main__":
    unittest.main()
