"""A stand-in for Chronos 3.0.2 with change 810; see standin.py. The leader has the jobs in memory.

What it plays, and the file of mesos/chronos v3.0.2 (below src/main/scala/org/apache/mesos/chronos) that says so:

  a follower forwards a request; it passes on the status of an error, not its text     scheduler/api/RedirectFilter
  everything is below /v1/scheduler, also leader, which docs/docs/api.md calls /leader  scheduler/api/ChronosRestModule
  204 of what is done; 400 with status and message of what is refused, 500 of the rest  scheduler/api/*Resource
  unknown fields, operators and containers without an image are ignored                utils/JobDeserializer
  a new job is registered after the answer, in the next round of the loop; one that
  replaces another does not wake the loop, which sleeps up to a minute                   scheduler/jobs/JobScheduler.{loadJob,replaceJob,mainLoop}
  a job whose parents do not all exist is dropped then                                   scheduler/jobs/JobScheduler.registerJobs
  a job that is posted again counts from zero                                           scheduler/api/Iso8601JobResource
  errorCount counts when no attempt is left; a retry comes a minute later                scheduler/jobs/JobScheduler.handleFailedTask
  a killed task counts as nothing                                                       scheduler/mesos/MesosJobFramework.statusUpdate
  a child runs when each of its parents has succeeded since                              scheduler/graph/JobGraph.getExecutableChildren
  the task's id holds the job's arguments, which are added to its command                scheduler/jobs/TaskUtils, scheduler/mesos/MesosTaskBuilder
  names of the environment that Chronos keeps for itself                                 scheduler/mesos/MesosTaskBuilder.envs
Of Mesos: ids without slashes, at most 255 long (apache/mesos 1.11, src/common/validation.cpp); without a shell the arguments begin with
the program's own name (include/mesos/mesos.proto, CommandInfo).
"""
import argparse
import datetime
import os
import re
import threading
import time

import standin

NAME = re.compile(r"[\w.-]+")
SCHEDULE = re.compile(r"(R[0-9]*)/(.*)/(P.*)")
PERIOD = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
SECONDS = (31536000, 2592000, 604800, 86400, 3600, 60, 1)
LOOP = 60
# The field and what it is without one.
FIELDS = {"command": "", "shell": True, "arguments": [], "retries": 2, "owner": "", "cpus": 0.1, "mem": 128, "disk": 256, "gpus": 0, "disabled": False,
          "uris": [], "environmentVariables": [], "runAsUser": "", "softError": False, "successCount": 0, "errorCount": 0, "lastSuccess": "",
          "lastError": "", "errorsSinceLastSuccess": 0}
CHOICES = {"type": ("DOCKER", "MESOS"), "network": ("BRIDGE", "HOST", "USER"), "mode": ("RW", "RO")}
OPERATORS = {"EQUALS": lambda has, value: has == value, "LIKE": lambda has, value: bool(re.fullmatch(value, has)),
             "UNLIKE": lambda has, value: not re.fullmatch(value, has)}
# Starts a program by a name with words of which the first is its own: exec PROGRAM WORD…
EXEC = "import os, sys; os.execvp(sys.argv[1], sys.argv[2:])"


def utc():
    return datetime.datetime.now(datetime.timezone.utc)


def parse(schedule):
    """Repetitions (-1: forever), start, period; or None."""
    found = SCHEDULE.fullmatch(schedule)
    period = found and PERIOD.fullmatch(found.group(3))
    if not period:
        return None
    try:
        start = datetime.datetime.fromisoformat(found.group(2).replace("Z", "+00:00")) if found.group(2) else utc() - datetime.timedelta(seconds=1)
    except ValueError:
        return None
    start = start if start.tzinfo else start.replace(tzinfo=datetime.timezone.utc)
    length = sum(int(count or 0) * seconds for count, seconds in zip(period.groups(), SECONDS))
    return int(found.group(1)[1:] or -1), start, datetime.timedelta(seconds=length)


def skipped(schedule):
    """The schedule after a start."""
    repeat, start, period = parse(schedule)
    late = (utc() - start).total_seconds()
    if late > 0 and period:
        start += period * (int(late) // int(period.total_seconds()) + 1)
    return "R%s/%s/PT%dS" % ("" if repeat in (-1, 0) else repeat - 1, start.isoformat(), period.total_seconds())


def chosen(kind, text):
    if text not in CHOICES[kind]:
        raise ValueError("No value found for '%s'" % text)
    return text


def read(node):
    """A job with all its fields."""
    job = dict({name: node.get(name) if node.get(name) is not None else default for name, default in FIELDS.items()}, name=str(node["name"]))
    container = node.get("container") or {}
    if "image" in container:
        volumes = [dict({"containerPath": each["containerPath"]}, **({"hostPath": each["hostPath"]} if "hostPath" in each else {}),
                        **({"mode": chosen("mode", each["mode"].upper())} if "mode" in each else {})) for each in container.get("volumes", [])]
        job["container"] = {"image": container["image"], "type": chosen("type", container.get("type", "DOCKER").upper()), "volumes": volumes,
                            "network": chosen("network", container.get("network", "HOST")), "forcePullImage": container.get("forcePullImage", False)}
    job["constraints"] = [each[:3] for each in node.get("constraints", []) if each[1] in OPERATORS]
    if "parents" in node:
        job["parents"] = sorted(set(node["parents"]))
    else:
        job["schedule"] = node.get("schedule") or "R1/%s/PT24H" % utc().isoformat()
    return job


class Refused(Exception):
    """An IllegalArgumentException of Chronos."""


def require(holds, text):
    if not holds:
        raise Refused("java.lang.IllegalArgumentException: requirement failed: " + text)


class Chronos:
    def __init__(self, framework, election, own, features="", password=("", "")):
        self.framework, self.election, self.own, self.features, self.password = framework, election, own, features, password
        # What is in ZooKeeper, and what the loop has registered.
        self.stored, self.graph, self.lock = {}, {}, threading.RLock()
        self.counted, self.retries, self.succeeded, self.wake = set(), [], {}, 0

    def led(self, method, path, function):
        def answer(_, groups, query, body):
            leader = self.election.leader()
            if leader is None:
                return 500, ""
            if leader != self.own:
                status, text = standin.call(leader["hostname"], leader["port"], method, path % groups if groups else path, self.password, body)
                return status, text if status < 400 else ""
            try:
                with self.lock:
                    return function(groups, query, body)
            except Refused as refused:
                return 400, {"status": "Bad Request", "message": str(refused)}
            except (AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
                return 500, {"status": "Internal Server Error", "message": "%s: %s" % (type(fault).__name__, fault)}
        return answer

    def leader(self, *_):
        return 200, {"leader": "%s:%d" % (self.own["hostname"], self.own["port"])}

    def add(self, key, node):
        """key: schedule or parents, of which the endpoint takes one kind of job."""
        job = read(node)
        if key not in job:
            raise ValueError("argument type mismatch")
        if job["name"] not in self.graph:
            require(NAME.fullmatch(job["name"]), "the job's name is invalid. Allowed names: '([\\w\\.-]+)'")
        if key == "schedule":
            found = parse(job["schedule"])
            if found is None:
                raise Refused("Cannot parse schedule '%s'" % job["schedule"])
            if found[1].year < 1970:
                raise Refused("Scheduled start date '%s' is before 1970!" % found[1].isoformat())
        elif not job["parents"]:
            raise ValueError("Error, parent does not exist")
        if job["name"] in self.graph:
            if key == "parents":
                require(all(parent in self.graph for parent in job["parents"]), "JobSchedule %s does not have all parents defined!" % job["name"])
            self.replace(job)
        else:
            self.stored[job["name"]] = job
            self.wake = 0
        return 204, ""

    def replace(self, job):
        self.stored[job["name"]] = self.graph[job["name"]] = job

    def start(self, groups, query, _):
        require(groups[0] in self.graph, "Job '%s' not found" % groups[0])
        self.enqueue(groups[0], 0, query.get("arguments", "").strip() or None)
        return 204, ""

    def end(self, groups, *_):
        require(groups[0] in self.graph, "JobSchedule '%s' not found" % groups[0])
        del self.graph[groups[0]]
        self.stored.pop(groups[0], None)
        with self.framework.lock:
            for task in [each for each in self.framework.wanted if each.split(":")[3] == groups[0]]:
                del self.framework.wanted[task]
        return 204, ""

    def every(self, *_):
        return 200, [dict(job, fetch=[{"uri": uri, "executable": False, "cache": False, "extract": True} for uri in job["uris"]]) for job in self.graph.values()]

    def enqueue(self, name, attempt, arguments=None):
        job = self.graph[name]
        if job["disabled"]:
            return
        words = (arguments if arguments is not None else " ".join(job["arguments"])).replace(";", "")
        task = "ct:%d:%d:%s:%s" % (time.time() * 1000, attempt, name, words)
        if "schedule" in job:
            self.replace(dict(job, schedule=skipped(job["schedule"])))
        if "/" in task or len(task) > 255:
            print("Unknown TaskState: TASK_ERROR for task: " + task, flush=True)
            return
        if job["gpus"] and "gpu_resources" not in self.features.split(","):
            print("no offer has GPUs without enable_features", flush=True)
            return
        # Names that it keeps for itself win.
        environment = dict({each["name"]: each["value"] for each in job["environmentVariables"]}, mesos_task_id=task, CHRONOS_JOB_NAME=name,
                           CHRONOS_JOB_OWNER=job["owner"], CHRONOS_JOB_RUN_ATTEMPT=str(attempt))
        command = job["command"] + (" " + words if words else "")
        wanted = {"id": task, "command": command, "env": environment, "resources": {"cpus": job["cpus"], "mem": job["mem"], "gpus": job["gpus"]}}
        if not job["shell"]:
            wanted["argv"] = ["/usr/bin/python3", "-c", EXEC, command] + job["arguments"]
        if job["constraints"]:
            fitting = [agent for agent in self.framework.agents() if all(
                field == "hostname" and OPERATORS[operator](agent["hostname"], value) for field, operator, value in job["constraints"])]
            wanted["hostname"] = fitting[0]["hostname"] if fitting else "no agent is like this"
        with self.framework.lock:
            self.framework.wanted[task] = wanted

    def count(self, task, state):
        _, _, attempt, name, _ = task.split(":", 4)
        job = self.graph.get(name)
        if job is None:
            return
        if state == "TASK_FINISHED":
            job = dict(job, successCount=job["successCount"] + 1, errorsSinceLastSuccess=0, lastSuccess=utc().isoformat())
            if "schedule" in job and parse(job["schedule"])[0] == 0:
                job["disabled"] = True
            self.replace(job)
            self.start_children(name)
        elif state in ("TASK_FAILED", "TASK_LOST"):
            if int(attempt) < job["retries"] and (not job["lastError"] or job["lastSuccess"] >= job["lastError"]):
                self.retries.append((time.monotonic() + LOOP, name, int(attempt) + 1))
            else:
                self.replace(dict(job, errorCount=job["errorCount"] + 1, errorsSinceLastSuccess=job["errorsSinceLastSuccess"] + 1, lastError=utc().isoformat()))

    def start_children(self, name):
        for child in [each for each in self.graph.values() if name in each.get("parents", [])]:
            done = self.succeeded.setdefault(child["name"], dict.fromkeys(child["parents"], 0))
            done[name] = done.get(name, 0) + 1
            if done[name] == min(done.get(parent, 0) for parent in child["parents"]):
                self.enqueue(child["name"], 0)

    def round(self):
        """Registers what is stored, and starts what is due."""
        for name, job in self.stored.items():
            self.graph[name] = job
        for name in [name for name, job in self.graph.items() if any(parent not in self.graph for parent in job.get("parents", []))]:
            print("Coudn't find all parents of job %s... dropping it." % name, flush=True)
            del self.graph[name]
        waits = [LOOP]
        for name, job in list(self.graph.items()):
            repeat, start, _ = parse(job["schedule"]) if "schedule" in job else (0, None, None)
            if job["disabled"] or repeat == 0:
                continue
            if start < utc():
                self.enqueue(name, 0)
            else:
                waits.append((start - utc()).total_seconds())
        self.wake = time.monotonic() + min(waits)

    def step(self):
        self.framework.step()
        with self.framework.lock:
            states = {task: each["state"] for task, each in self.framework.states.items()}
        with self.lock:
            for task, state in states.items():
                if task not in self.counted and state in ("TASK_FINISHED", "TASK_FAILED", "TASK_LOST", "TASK_KILLED"):
                    self.counted.add(task)
                    self.count(task, state)
            due = [each for each in self.retries if each[0] <= time.monotonic()]
            self.retries = [each for each in self.retries if each not in due]
            for _, name, attempt in due:
                if name in self.graph:
                    self.enqueue(name, attempt)
            if time.monotonic() >= self.wake:
                self.round()

    def routes(self, server):
        base = "/v1/scheduler/"
        server.on("GET", base + "leader", self.led("GET", base + "leader", self.leader))
        server.on("GET", base + "jobs", self.led("GET", base + "jobs", self.every))
        for name, key in (("iso8601", "schedule"), ("dependency", "parents")):
            server.on("POST", base + name, self.led("POST", base + name, lambda _, __, node, kind=key: self.add(kind, node)))
        server.on("PUT", base + "job/([^/]+)", self.led("PUT", base + "job/%s", self.start))
        server.on("DELETE", base + "job/([^/]+)", self.led("DELETE", base + "job/%s", self.end))


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for option in ("master", "zk_hosts", "zk_path", "hostname", "http_address", "http_port", "mesos_framework_name", "mesos_authentication_principal",
                   "mesos_authentication_secret_file", "enable_features", "user"):
        parser.add_argument("--" + option, required=option != "enable_features", default="")
    options = parser.parse_args()
    framework = standin.Framework(options.mesos_framework_name, options.master, options.mesos_authentication_principal, options.mesos_authentication_secret_file)
    own = {"hostname": options.hostname, "port": int(options.http_port)}
    client, path = standin.zookeeper("zk://%s%s" % (options.zk_hosts, options.zk_path))
    election = standin.Election(client, path, own)
    user, _, password = os.environ["MESOSPHERE_HTTP_CREDENTIALS"].partition(":")
    chronos = Chronos(framework, election, own, options.enable_features, (user, password))
    server = standin.Server(options.http_address, int(options.http_port), {user: password})
    chronos.routes(server)
    server.background()

    def step():
        if election.leader() == own:
            chronos.step()
    standin.forever(step)


if __name__ == "__main__":
    main()
