#!/usr/bin/env python3
"""Loads a service on this machine as many watchers and browsers would, and prints what it answered and what it used.

    benchmarks/service_load.py [--streams 300] [--rate 100] [--seconds 60] [DEEPSITE]

It starts `deepsite serve` itself, on a port of its own, with files or with the database that DEEPSITE_POSTGRESQL names, and a test login.
Sites are ordered for tomorrow and planned (LXD is asked what there is); none is built. Their user confirms and cancels all the time, so that
there is something to watch. A request's time counts from when it was due, so that a
service that stalls cannot hide it. Exit code 1: a request or a stream failed. Needs nothing but Python.
"""
import argparse
import asyncio
import itertools
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

PORT = 18470
SITES = 3
CONNECTIONS = 64
TICKS = os.sysconf("SC_CLK_TCK")
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Connection:
    """One connection of HTTP/1.1 that stays open."""

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", PORT)
        return self

    async def ask(self, path, headers=None, body=None, method=None):
        method = method or ("GET" if body is None else "POST")
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{PORT}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode())
        await self.writer.drain()
        status, answered = await self.head()
        if "chunked" in answered.get("transfer-encoding", ""):
            content = b""
            while size := int(await self.reader.readline(), 16):
                content += await self.reader.readexactly(size)
                await self.reader.readline()
            await self.reader.readline()
        else:
            content = await self.reader.readexactly(int(answered.get("content-length", 0)))
        return status, answered, content.decode()

    async def head(self):
        status = int((await self.reader.readline()).split()[1])
        answered = {}
        while line := (await self.reader.readline()).decode().strip():
            name, value = line.split(":", 1)
            answered[name.lower()] = value.strip()
        return status, answered


async def logged_in(connection):
    """Headers of Alice: those of every request, and those of changes."""
    url = f"http://127.0.0.1:{PORT}"
    form = urllib.parse.urlencode({"name": "alice", "groups": "lab", "to": "/"})
    status, answered, _ = await connection.ask(
        "/login/test", {"Origin": url, "Content-Type": "application/x-www-form-urlencoded"}, form)
    assert status == 303, status
    reads = {"Cookie": answered["set-cookie"].split(";")[0]}
    _, _, page = await connection.ask("/", {**reads, "Accept": "text/html"})
    token = re.search('name="csrf" value="([^"]+)"', page).group(1)
    return reads, {**reads, "Origin": url, "X-CSRF-Token": token, "Content-Type": "application/json"}


async def planned(connection, reads, changes):
    later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86400))
    order = json.dumps({"project": "lab", "template": "slurm", "parameters": {"nodes": "1"}, "startsAt": later})
    status, _, body = await connection.ask("/v1/sites", changes, order)
    assert status == 202, body
    site = json.loads(body)["id"]
    while True:
        _, _, body = await connection.ask(f"/v1/sites/{site}", reads)
        state = json.loads(body)
        if state["status"] != "planning":
            assert state["status"] == "planned", body
            return site
        await asyncio.sleep(0.1)


class Load:
    def __init__(self):
        self.times, self.faults, self.events, self.open = [], [], 0, 0

    async def watch(self, site, reads, ready):
        connection = await Connection().open()
        connection.writer.write((f"GET /v1/sites/{site}/events HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nCookie: {reads['Cookie']}\r\n\r\n").encode())
        status, _ = await connection.head()
        self.open += 1
        ready.set()
        if status != 200:
            self.faults.append(f"stream: {status}")
            return
        try:
            while line := await connection.reader.readline():
                self.events += line.startswith(b"id:")
            self.faults.append("stream: it ended")
        except OSError as fault:
            self.faults.append(f"stream: {fault}")

    async def request(self, idle, path, headers, due, body=None):
        connection = await idle.get()
        try:
            status, _, _ = await connection.ask(path, headers, body)
            if status not in (200, 202):
                self.faults.append(f"{path}: {status}")
        except (OSError, asyncio.IncompleteReadError, IndexError) as fault:
            self.faults.append(f"{path}: {fault!r}")
            connection = await Connection().open()
        self.times.append(time.monotonic() - due)
        idle.put_nowait(connection)

    async def change(self, idle, sites, changes):
        """Each second one of them: it waits for its time, or does not any more."""
        for number in itertools.count():
            verb = "confirm" if number // len(sites) % 2 == 0 else "cancel"
            await self.request(idle, f"/v1/sites/{sites[number % len(sites)]}/{verb}", changes, time.monotonic(), "{}")
            await asyncio.sleep(1)


def used(process):
    with open(f"/proc/{process}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{process}/status") as status:
        memory = dict(re.findall(r"(VmRSS|VmHWM|Threads):\s+(\d+)", status.read()))
    return (int(fields[11]) + int(fields[12])) / TICKS, memory


async def loaded(process, options):
    first = await Connection().open()
    reads, changes = await logged_in(first)
    sites = [await planned(first, reads, changes) for _ in range(SITES)]
    pages = {**reads, "Accept": "text/html"}
    asked = [("/", pages), ("/v1/sites?project=lab", reads), (f"/v1/sites/{sites[0]}", reads), (f"/sites/{sites[0]}", pages), ("/v1/catalogue?project=lab", reads)]
    load = Load()
    streams = []
    for number in range(options.streams):
        ready = asyncio.Event()
        streams.append(asyncio.create_task(load.watch(sites[number % SITES], reads, ready)))
        await ready.wait()
    idle = asyncio.Queue()
    for _ in range(CONNECTIONS):
        idle.put_nowait(await Connection().open())
    print(f"streams open: {load.open}; begins", flush=True)
    cpu, _ = used(process)
    begin, requests = time.monotonic(), []
    changing = asyncio.create_task(load.change(idle, sites, changes))
    for number in range(options.rate * options.seconds):
        due = begin + number / options.rate
        await asyncio.sleep(max(0, due - time.monotonic()))
        path, headers = asked[number % len(asked)]
        requests.append(asyncio.create_task(load.request(idle, path, headers, due)))
    changing.cancel()
    await asyncio.gather(*requests)
    took = time.monotonic() - begin
    after, memory = used(process)
    alive = sum(not stream.done() for stream in streams)
    for stream in streams:
        stream.cancel()
    cuts = statistics.quantiles(load.times, n=100)
    print(f"requests: {len(load.times)} in {took:.1f} s, p50 {cuts[49] * 1000:.1f} ms, p95 {cuts[94] * 1000:.1f} ms,"
          f" p99 {cuts[98] * 1000:.1f} ms, slowest {max(load.times) * 1000:.1f} ms")
    print(f"streams: {alive} of {options.streams} open at the end, {load.events} events")
    print(f"faults: {len(load.faults)} {sorted(set(load.faults))[:5]}")
    print(f"process: {(after - cpu) / took * 100:.0f} % of a core, {int(memory['VmRSS']) // 1024} MiB resident"
          f" (peak {int(memory['VmHWM']) // 1024} MiB), {memory['Threads']} threads")
    return not load.faults and alive == options.streams


async def ready():
    while True:
        try:
            connection = await Connection().open()
            if (await connection.ask("/health/ready"))[0] == 200:
                return
        except OSError:
            await asyncio.sleep(0.1)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--streams", type=int, default=300)
    words.add_argument("--rate", type=int, default=100)
    words.add_argument("--seconds", type=int, default=60)
    words.add_argument("deepsite", nargs="?", default=os.path.join(HERE, "dist/target/deepsite/bin/deepsite"))
    options = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(HERE, "service-example"), folder, dirs_exist_ok=True)
        file = os.path.join(folder, "service.yaml")
        with open(file) as settings:
            text = settings.read()
        database = os.environ.get("DEEPSITE_POSTGRESQL")
        text = re.sub("(?m)^listen: .*", f"listen: 127.0.0.1:{PORT}\nlimits: {{perAddress: 1000000, perPerson: 1000000}}"
                      + (f"\ndatabase: {database}" if database else ""), text)
        with open(file, "w") as settings:
            settings.write(text)
        with open(os.path.join(folder, "serve.log"), "w") as log:
            service = subprocess.Popen([options.deepsite, "serve", file, "--test-login"], stdout=log, stderr=log)
        try:
            good = asyncio.run(both(service.pid, options))
        finally:
            service.send_signal(signal.SIGTERM)
            service.wait()
    sys.exit(0 if good else 1)


async def both(process, options):
    await asyncio.wait_for(ready(), 60)
    return await loaded(process, options)


if __name__ == "__main__":
    main()
