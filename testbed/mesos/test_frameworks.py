"""The stand-ins of Marathon and Chronos refuse what the real ones refuse, and deepsite-mesos gets along with them.

The tasks run at once, in this process; the stand-ins' loops turn with each request, so nothing waits.
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
TEMPLATE = HERE.parent.parent / "templates/mesos_master/usr/local/sbin/deepsite-mesos.j2"
# standin.py imports kazoo, which is on the lane's hosts only; no ZooKeeper is asked here.
sys.modules.setdefault("kazoo", mock.MagicMock())
sys.modules.setdefault("kazoo.client", mock.MagicMock())
sys.path.insert(0, str(HERE))


def loaded(name, path):
    spec = importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, str(path)))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


standin = loaded("standin", HERE / "standin.py")
sys.modules["standin"] = standin
CHRONOS = loaded("chronos_standin", HERE / "chronos.py")
MARATHON = loaded("marathon_standin", HERE / "marathon")


class Framework:
    """A cluster of two agents; each task runs, and ends, in the step after it was wanted."""

    def __init__(self):
        self.lock, self.wanted, self.states, self.out = threading.RLock(), {}, {}, {}
        self.stays = False

    def agents(self):
        return [{"hostname": "10.0.0.%d" % number, "resources": {"cpus": 2, "mem": 1024, "gpus": 0}} for number in (5, 6)]

    def step(self):
        for name, task in self.wanted.items():
            if name in self.states:
                continue
            state = "TASK_RUNNING"
            if not self.stays:
                done = subprocess.run(task.get("argv") or ["/bin/sh", "-c", task["command"]], env=dict(task["env"], PATH=os.environ["PATH"]),
                                      stdout=subprocess.PIPE, text=True, check=False)
                state, self.out[name] = "TASK_FAILED" if done.returncode else "TASK_FINISHED", done.stdout
            self.states[name] = {"state": state, "host": task.get("hostname") or "10.0.0.5", "ports": [31000]}


class Election:
    def __init__(self, led):
        self.led = led

    def leader(self):
        return self.led


class ChronosTest(unittest.TestCase):
    def setUp(self):
        own = {"hostname": "127.0.0.1", "port": 4400}
        self.framework = Framework()
        self.chronos = CHRONOS.Chronos(self.framework, Election(own), own)
        self.server = standin.Server("127.0.0.1", 0, {"chronos": "secret"})
        self.chronos.routes(self.server)

    def tearDown(self):
        self.server.server.server_close()

    def ask(self, method, path, body=None):
        self.chronos.step()
        status, text = self.server.answer(method, "/v1/scheduler/" + path, "Basic Y2hyb25vczpzZWNyZXQ=", json.dumps(body).encode() if body else b"")[:2]
        return status, text

    def job(self, name):
        return next((job for job in self.ask("GET", "jobs")[1] if job["name"] == name), None)

    def test_a_new_job_is_registered_after_the_answer(self):
        self.assertEqual(self.ask("POST", "iso8601", {"name": "demo", "command": "true", "schedule": "R1/2030-01-01T00:00:00Z/PT24H"})[0], 204)
        status, said = self.server.answer("PUT", "/v1/scheduler/job/demo", "Basic Y2hyb25vczpzZWNyZXQ=", b"")[:2]
        self.assertEqual(status, 400)
        self.assertIn("Job 'demo' not found", said["message"])
        self.assertEqual(self.ask("PUT", "job/demo")[0], 204)
        self.ask("GET", "jobs")
        self.assertEqual(self.job("demo")["successCount"], 1)

    def test_leader_is_below_the_scheduler_only(self):
        self.assertEqual(self.ask("GET", "leader"), (200, {"leader": "127.0.0.1:4400"}))
        self.assertEqual(self.server.answer("GET", "/leader", "Basic Y2hyb25vczpzZWNyZXQ=", b"")[0], 404)

    def test_what_is_refused(self):
        for endpoint, job, code, text in (
                ("iso8601", {"name": "a b", "schedule": "R1//PT24H"}, 400, "name is invalid"),
                ("iso8601", {"name": "demo", "schedule": "tomorrow"}, 400, "Cannot parse schedule 'tomorrow'"),
                ("iso8601", {"name": "demo", "schedule": "R1/1969-01-01T00:00:00Z/PT24H"}, 400, "before 1970"),
                ("iso8601", {"name": "demo", "parents": ["a"]}, 500, ""),
                ("iso8601", {"command": "true"}, 500, "name"),
                ("iso8601", {"name": "demo", "container": {"image": "a", "network": "bridge"}}, 500, "bridge"),
                ("dependency", {"name": "demo", "parents": []}, 500, "parent does not exist"),
                ("dependency", {"name": "demo", "schedule": "R1//PT24H"}, 500, "")):
            status, said = self.ask("POST", endpoint, job)
            self.assertEqual(status, code, job)
            self.assertIn(text, said["message"])
        self.assertEqual(self.ask("DELETE", "job/nobody")[0], 400)

    def test_a_job_whose_parent_does_not_exist_is_dropped(self):
        self.assertEqual(self.ask("POST", "dependency", {"name": "child", "command": "true", "parents": ["nobody"]})[0], 204)
        self.ask("GET", "jobs")
        self.assertIsNone(self.job("child"))

    def test_a_child_runs_after_all_its_parents(self):
        for parent in ("one", "two"):
            self.ask("POST", "iso8601", {"name": parent, "command": "true", "schedule": "R1/2030-01-01T00:00:00Z/PT24H"})
        self.ask("POST", "dependency", {"name": "child", "command": "true", "parents": ["one", "two"]})
        self.ask("PUT", "job/one")
        self.ask("GET", "jobs")
        self.ask("GET", "jobs")
        self.assertEqual(self.job("child")["successCount"], 0)
        self.ask("PUT", "job/two")
        self.ask("GET", "jobs")
        self.ask("GET", "jobs")
        self.assertEqual(self.job("child")["successCount"], 1)

    def test_a_failure_counts_after_the_last_attempt(self):
        self.ask("POST", "iso8601", {"name": "demo", "command": "false", "schedule": "R1//PT24H", "retries": 1})
        for _ in range(3):
            self.ask("GET", "jobs")
        self.assertEqual(self.job("demo")["errorCount"], 0)
        self.chronos.retries = [(0, name, attempt) for _, name, attempt in self.chronos.retries]
        for _ in range(3):
            self.ask("GET", "jobs")
        self.assertEqual(self.job("demo")["errorCount"], 1)
        self.ask("POST", "iso8601", {"name": "demo", "command": "true", "schedule": "R1//PT24H"})
        self.assertEqual((self.job("demo")["errorCount"], self.job("demo")["lastError"]), (0, ""))

    def test_arguments_become_part_of_the_command_and_of_the_id(self):
        for arguments, code in ((["-v", "x"], "TASK_FAILED"), (["/etc/passwd"], None)):
            self.framework.states.clear()
            self.framework.wanted.clear()
            self.ask("POST", "iso8601", {"name": "demo", "command": "echo", "shell": False, "arguments": arguments, "schedule": "R1//PT24H"})
            self.chronos.wake = 0
            self.ask("GET", "jobs")
            self.ask("GET", "jobs")
            self.assertEqual([state["state"] for state in self.framework.states.values()], [code] if code else [])

    def test_a_follower_passes_no_text_of_an_error(self):
        follower = CHRONOS.Chronos(self.framework, Election({"hostname": "127.0.0.1", "port": 1}), {"hostname": "127.0.0.2", "port": 4400})
        with mock.patch.object(standin, "call", return_value=(400, "text")):
            self.assertEqual(follower.led("PUT", "/v1/scheduler/job/%s", follower.start)("", ("demo",), {}, None), (400, ""))


class ToolTest(ChronosTest):
    """deepsite-mesos on a master, with these answers."""

    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name, "deepsite-mesos")
        path.write_text(TEMPLATE.read_text().split("MASTERS = ")[0] + 'MASTERS = ["127.0.0.2", "127.0.0.3"]\nOWN = "127.0.0.2"\n' +
                        TEMPLATE.read_text().split('OWN = "{{ mesos_master_address }}"\n')[1])
        self.tool = loaded("deepsite_mesos", path)
        self.tool.time = mock.MagicMock(monotonic=lambda: 0)
        self.tool.output = lambda _: 0

    def tearDown(self):
        self.folder.cleanup()
        super().tearDown()

    def answered(self, service, _, __, method, path, body=None):
        self.assertEqual(service, "chronos")
        status, text = self.ask(method, path.replace("/v1/scheduler/", ""), json.loads(body) if body else None)
        if status >= 300:
            raise self.tool.Refused("%d %s" % (status, text["message"]))
        return json.dumps(text)

    def run_command(self, *argv):
        with mock.patch.object(self.tool, "request", self.answered), mock.patch.object(self.tool.signal, "signal"):
            return self.tool.run_command("nobody", list(argv))

    def test_a_command_arrives_word_by_word(self):
        words = ["printf", "%s|", "a b", "/etc/passwd", "$HOME; `id`", "it's \"quoted\"", ""]
        self.assertEqual(self.run_command(*words), 0)
        self.assertEqual(list(self.framework.out.values()), ["".join(word + "|" for word in words[2:])])
        self.assertEqual(self.ask("GET", "jobs")[1], [], "it is removed afterwards")

    def test_a_failing_command_fails(self):
        self.assertEqual(self.run_command("false"), 1)

    def test_a_new_job_is_started_once_chronos_knows_it(self):
        with mock.patch.object(self.tool, "request", self.answered):
            self.assertEqual(self.tool.run_job({"name": "demo", "command": "true", "schedule": "R1/2030-01-01T00:00:00Z/PT1H"}), 0)

    def test_who_says_why_is_heard(self):
        def answered(_, address, *__):
            if address == "127.0.0.2":
                raise self.tool.Unsaid("127.0.0.2 answered 400: ")
            raise self.tool.Refused("127.0.0.3 answered 400: no such job")
        with mock.patch.object(self.tool, "request", answered), self.assertRaisesRegex(self.tool.Refused, "no such job"):
            self.tool.ask("chronos", "PUT", "/v1/scheduler/job/demo")


class MarathonTest(unittest.TestCase):
    def setUp(self):
        own = {"hostname": "127.0.0.1", "port": 8080}
        self.framework = Framework()
        self.framework.stays = True
        self.marathon = MARATHON.Marathon(self.framework, Election(own), own, {"local_port_min": "10000", "local_port_max": "10010"})

    def post(self, app):
        return self.marathon.led("POST", "/v2/apps", self.marathon.add)("", (), {}, app)

    def shown(self, name):
        self.marathon.step()
        return self.marathon.get((name,), None)[1]["app"]

    def test_what_is_refused(self):
        check = {"protocol": "HTTP", "portIndex": 1}
        for app, message, path, error in (
                ({"cmd": "sleep 1"}, "Invalid JSON", "/id", "error.path.missing"),
                ({"id": "a", "cmd": "sleep 1", "cpus": "1"}, "Invalid JSON", "/cpus", "error.expected.jsnumber"),
                ({"id": "a", "cmd": "sleep 1", "constraints": ["hostname"]}, "Invalid JSON", "/constraints(0)", "error.expected.jsarray"),
                ({"id": "a", "cmd": "sleep 1", "healthChecks": [{"protocol": "http"}]}, "Invalid JSON", "/healthChecks(0)/protocol", "error.unknown.enum.literal"),
                ({"id": "a"}, "Object is not valid", "/", "'cmd' or 'args'"),
                ({"id": "A", "cmd": "sleep 1"}, "Object is not valid", "/id", "must fully match"),
                ({"id": "a", "cmd": "w"}, "Object is not valid", "/", "must not be an empty string"),
                ({"id": "a", "container": {"type": "DOCKER", "docker": {"image": "b", "network": "HOST"}}, "networks": [{"mode": "host"}]}, "Object is not valid",
                 "/", "must not specify both container.docker.network and networks"),
                ({"id": "a", "container": {"type": "MESOS", "docker": {"image": "b", "network": "HOST"}}}, "Object is not valid", "/container/docker/network", "empty"),
                ({"id": "a", "cmd": "sleep 1", "gpus": 1, "container": {"type": "MESOS"}}, "Object is not valid", "/", "gpu_resources is not enabled"),
                ({"id": "a", "cmd": "sleep 1", "portDefinitions": [{"port": 0}], "healthChecks": [check]}, "Object is not valid", "/healthChecks(0)", "port indices"),
                ({"id": "a", "cmd": "sleep 1", "constraints": [["hostname", "EQUALS", "b"]]}, "Object is not valid", "/constraints(0)", "operator must be one of"),
                ({"id": "a", "cmd": "sleep 1", "constraints": [["hostname", "UNIQUE", "b"]]}, "Object is not valid", "/constraints(0)", "does not accept"),
                ({"id": "a", "cmd": "sleep 1", "constraints": [["hostname", "MAX_PER", "b"]]}, "Object is not valid", "/constraints(0)", "requires an integer"),
                ({"id": "a", "cmd": "sleep 1", "constraints": [["hostname", "LIKE", "("]]}, "Object is not valid", "/constraints(0)", "regular expression")):
            status, said = self.post(app)
            self.assertEqual((status, said["message"]), (422, message), app)
            self.assertIn((path, True), [(each["path"], error in " ".join(each["errors"])) for each in said["details"]], said)

    def test_an_unknown_field_is_ignored_and_a_second_app_of_a_name_is_not(self):
        status, said, headers = self.post({"id": "a", "cmd": "sleep 1", "helthChecks": []})
        self.assertEqual((status, said["id"], headers["Location"]), (201, "/a", "/a"))
        self.assertEqual(said["deployments"], [{"id": headers["Marathon-Deployment-Id"]}])
        self.assertEqual(self.post({"id": "/a", "cmd": "sleep 1"}), (409, {"message": "An app with id [/a] already exists."}))
        self.assertEqual(self.marathon.get(("b",), None)[0], 404)

    def test_a_failing_health_check_ends_a_task_and_another_one_begins(self):
        check = {"protocol": "HTTP", "gracePeriodSeconds": -1, "intervalSeconds": 0, "maxConsecutiveFailures": 1}
        self.post({"id": "a", "cmd": "sleep 1", "portDefinitions": [{"port": 0}], "healthChecks": [check]})
        with mock.patch.object(MARATHON, "failure", side_effect=["503 Service Unavailable", "503 Service Unavailable", None]):
            first = self.shown("a")
            self.assertEqual([each["lastFailureCause"] for each in first["tasks"][0]["healthCheckResults"]], ["503 Service Unavailable"])
            self.assertEqual(first["tasksHealthy"], 0)
            self.assertEqual(len(first["deployments"]), 1)
            killed = self.shown("a")
            self.assertEqual(killed["lastTaskFailure"]["message"], "Task was killed since health check failed. Reason: 503 Service Unavailable")
            second = self.shown("a")
        self.assertNotEqual(second["tasks"][0]["id"], first["tasks"][0]["id"])
        self.assertEqual(second["tasksHealthy"], 1)
        self.assertEqual(second["deployments"], [])

    def test_constraints_choose_agents(self):
        for operator, instances, hosts in ((["UNIQUE"], 3, ["10.0.0.5", "10.0.0.6"]), (["CLUSTER"], 2, ["10.0.0.5"] * 2), (["MAX_PER", "1"], 3, ["10.0.0.5", "10.0.0.6"]),
                                           (["LIKE", r".*\.6"], 1, ["10.0.0.6"]), (["UNLIKE", r".*\.5"], 1, ["10.0.0.6"]), (["IS", "10.0.0.6"], 1, ["10.0.0.6"]),
                                           (["GROUP_BY"], 4, ["10.0.0.5", "10.0.0.5", "10.0.0.6", "10.0.0.6"])):
            name = operator[0].lower().replace("_", "-")
            self.post({"id": name, "cmd": "sleep 1", "instances": instances, "constraints": [["hostname"] + operator]})
            self.shown(name)
            self.assertEqual(sorted(each["host"] for each in self.shown(name)["tasks"]), hosts, operator)
        self.post({"id": "nowhere", "cmd": "sleep 1", "constraints": [["rack", "LIKE", ".*"]]})
        self.assertEqual(self.shown("nowhere")["tasks"], [])

    def test_a_server_that_answers_is_healthy(self):
        server = standin.Server("127.0.0.1", 0, {"a": "b"})
        server.background()
        port = server.server.server_address[1]
        self.assertEqual(MARATHON.failure({"protocol": "HTTP", "path": "/"}, "127.0.0.1", port), "401 Unauthorized")
        self.assertIsNone(MARATHON.failure({"protocol": "TCP"}, "127.0.0.1", port))
        server.server.shutdown()
        server.server.server_close()
        self.assertIn("refused", MARATHON.failure({"protocol": "TCP"}, "127.0.0.1", port))


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        unittest.main(verbosity=2)
