#!/usr/bin/env python3
"""Makes and starts machines with bare calls of LXD's REST interface, and waits for their addresses: the least that an apply takes.

    benchmarks/machines.py PROJECT FILE

FILE has the machines as LXD's requests for new instances, in JSON. As many are made at once as deepsite makes.
"""
import concurrent.futures
import http.client
import json
import socket
import sys
import time

SOCKET = "/var/lib/lxd/unix.socket"
AT_ONCE = 8


class Connection(http.client.HTTPConnection):
    def __init__(self):
        super().__init__("localhost")

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(SOCKET)


def call(connection, method, path, body=None):
    connection.request(method, path, json.dumps(body) if body is not None else None)
    answer = json.load(connection.getresponse())
    if answer["type"] == "error":
        sys.exit(f"{method} {path}: {answer['error']}")
    if answer["type"] == "async":
        answer = call(connection, "GET", answer["operation"] + "/wait")
        if answer["metadata"]["status_code"] != 200:
            sys.exit(f"{method} {path}: {answer['metadata']['err']}")
    return answer


def has_address(state):
    network = (state["metadata"]["network"] or {}).get("eth0", {})
    return any(address["family"] == "inet" for address in network.get("addresses", []))


def make(project, machine):
    connection = Connection()
    scope = f"?project={project}"
    call(connection, "POST", f"/1.0/instances{scope}", machine)
    path = f"/1.0/instances/{machine['name']}/state{scope}"
    call(connection, "PUT", path, {"action": "start", "timeout": -1})
    while not has_address(call(connection, "GET", path)):
        time.sleep(0.1)


def main(project, file):
    with open(file, encoding="utf-8") as stream:
        machines = json.load(stream)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
        for done in [threads.submit(make, project, machine) for machine in machines]:
            done.result()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
