"""A stand-in for Chronos; see standin.py. The leader has the jobs in memory; they run on request."""
import argparse
import os
import threading

import standin

parser = argparse.ArgumentParser(allow_abbrev=False)
for option in ("master", "zk_hosts", "zk_path", "hostname", "http_address", "http_port", "mesos_framework_name", "mesos_authentication_principal",
               "mesos_authentication_secret_file", "enable_features", "user"):
    parser.add_argument("--" + option, required=option != "enable_features")


class Chronos:
    def __init__(self, options):
        self.options = options
        self.framework = standin.Framework(options.mesos_framework_name, options.master, options.mesos_authentication_principal,
                                           options.mesos_authentication_secret_file)
        self.own = {"hostname": options.hostname, "port": int(options.http_port)}
        client, path = standin.zookeeper("zk://%s%s" % (options.zk_hosts, options.zk_path))
        self.election = standin.Election(client, path, self.own)
        self.jobs, self.lock, self.count = {}, threading.Lock(), 0

    def led(self, path, function):
        """Followers forward a request to the leader."""
        def answer(_, groups, __, body):
            leader = self.election.leader()
            if leader is None:
                return 503, "no leader"
            if leader != self.own:
                return 307, "", {"Location": "http://%s:%d%s" % (leader["hostname"], leader["port"], path % groups)}
            return function(groups, body)
        return answer

    def add(self, _, job):
        if job.get("gpus") and (job.get("container", {}).get("type") != "MESOS" or self.options.enable_features != "gpu_resources"):
            return 400, "gpus need a container of type MESOS, and enable_features gpu_resources"
        self.jobs[job["name"]] = dict(job, successCount=0, errorCount=0)
        assert job["schedule"].startswith("R") and job["command"] is not None
        # Without a start time it starts at once.
        if job["schedule"].split("/")[1] == "":
            return self.start((job["name"],), None)
        return 204, ""

    def start(self, groups, _):
        job = self.jobs[groups[0]]
        self.count += 1
        name = "ct:%d:0:%s:" % (self.count, job["name"])
        with self.framework.lock:
            self.framework.wanted[name] = {"id": name, "command": job["command"], "env": {each["name"]: each["value"] for each in job.get("environmentVariables", [])}, "resources": {
                "cpus": job.get("cpus", 0.1), "mem": job.get("mem", 32), "gpus": job.get("gpus", 0)}}
            if not job.get("shell", True):
                self.framework.wanted[name]["argv"] = [job["command"]] + job.get("arguments", [])
        return 204, ""

    def every(self, *_):
        with self.framework.lock:
            ended = {name: state["state"] for name, state in self.framework.states.items() if state["state"] in ("TASK_FINISHED", "TASK_FAILED")}
        for job in self.jobs.values():
            mine = [state for name, state in ended.items() if name.split(":")[3] == job["name"]]
            job.update(successCount=mine.count("TASK_FINISHED"), errorCount=mine.count("TASK_FAILED"))
        return 200, list(self.jobs.values())

    def end(self, groups, _):
        del self.jobs[groups[0]]
        return 204, ""


def main():
    options = parser.parse_args()
    chronos = Chronos(options)
    user, _, password = os.environ["MESOSPHERE_HTTP_CREDENTIALS"].partition(":")
    server = standin.Server(options.http_address, int(options.http_port), {user: password})

    def leader(*_):
        found = chronos.election.leader()
        return (200, {"leader": "%s:%d" % (found["hostname"], found["port"])}) if found else (503, "no leader")

    server.on("GET", "/leader", leader)
    server.on("GET", "/v1/scheduler/jobs", chronos.led("/v1/scheduler/jobs", chronos.every))
    server.on("POST", "/v1/scheduler/iso8601", chronos.led("/v1/scheduler/iso8601", chronos.add))
    server.on("PUT", "/v1/scheduler/job/(.+)", chronos.led("/v1/scheduler/job/%s", chronos.start))
    server.on("DELETE", "/v1/scheduler/job/(.+)", chronos.led("/v1/scheduler/job/%s", chronos.end))
    server.background()

    def step():
        if chronos.election.leader() == chronos.own:
            chronos.framework.step()
    standin.forever(step)


main()
