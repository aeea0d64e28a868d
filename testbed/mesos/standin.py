"""Common code of the stand-ins of Mesos, Marathon and Chronos: HTTP with passwords, leaders through the real ZooKeeper, mutual calls.

They are not Mesos. They implement the part of its API that deepsite uses (docs: mesos.apache.org/documentation/latest/endpoints;
the files `marathon` and `chronos.py` name theirs); among themselves they use their own calls: /stand-in/….
"""
import base64
import http.client
import http.server
import json
import os
import re
import signal
import threading
import time
import urllib.parse

from kazoo.client import KazooClient, KazooState


def zookeeper(url):
    """A client for zk://user:password@hosts/path, or for the file that contains one; and the path."""
    if url.startswith("file://"):
        with open(url[len("file://"):], encoding="utf-8") as file:
            url = file.read().strip()
    found = re.fullmatch(r"zk://(?:([^:@]+):([^@]+)@)?([^/]+)(/.*)", url)
    if not found:
        raise SystemExit("no address of ZooKeeper: " + re.sub(r":[^:@]*@", ":***@", url))
    user, password, hosts, path = found.groups()
    auth = [("digest", "%s:%s" % (user, password))] if user else None
    # Like Mesos' --zk_session_timeout.
    client = KazooClient(hosts=hosts, auth_data=auth, timeout=10)

    # Like Mesos: a leader that loses its session exits and is restarted.
    def lost(state):
        if state == KazooState.LOST:
            os._exit(1)

    def leave():
        client.remove_listener(lost)
        client.stop()
        os._exit(0)

    client.add_listener(lost)
    # Removes its node when it ends: after a restart the old node would look like the new one.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=leave).start())
    client.start(timeout=900)
    return client, path


class Election:
    """Like Mesos: the node with the lowest number leads."""

    def __init__(self, client, path, own=None):
        self.client, self.path = client, path
        if own is not None:
            client.ensure_path(path)
            client.create(path + "/json.info_", json.dumps(own).encode(), ephemeral=True, sequence=True)

    def leader(self):
        if not self.client.connected:
            return None
        try:
            names = sorted(name for name in self.client.get_children(self.path) if name.startswith("json.info_"))
            return json.loads(self.client.get(self.path + "/" + names[0])[0]) if names else None
        except Exception:  # pylint: disable=broad-except # without ZooKeeper there is no leader
            return None


def credentials(path):
    """user: password, from Mesos' JSON."""
    with open(path.replace("file://", ""), encoding="utf-8") as file:
        return {each["principal"]: each["secret"] for each in json.load(file)["credentials"]}


def call(address, port, method, path, login, body=None):
    connection = http.client.HTTPConnection(address, port, timeout=60)
    try:
        token = base64.b64encode(("%s:%s" % login).encode()).decode()
        connection.request(method, path, json.dumps(body) if body is not None else None, {"Authorization": "Basic " + token, "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        return answer.status, text
    finally:
        connection.close()


class Server:
    """Answers with functions of (user, path, query, body) that return (status, body, headers); requires a password."""

    def __init__(self, address, port, users):
        self.users, self.routes = users, []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def answer(self):
                size = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(size)
                if self.path == "/stand-in/seen" and outer.user(self.headers.get("Authorization", "")):
                    status, text, headers = 200, dict(self.headers), {}
                else:
                    status, text, headers = outer.answer(self.command, self.path, self.headers.get("Authorization", ""), body)
                data = text if isinstance(text, bytes) else (text if isinstance(text, str) else json.dumps(text)).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(0 if status == 204 else len(data)))
                self.end_headers()
                if status != 204:
                    self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_DELETE = answer

        self.server = http.server.ThreadingHTTPServer((address, port), Handler)

    def on(self, method, pattern, function):
        self.routes.append((method, re.compile(pattern), function))

    def user(self, header):
        if not header.startswith("Basic "):
            return None
        name, _, password = base64.b64decode(header[6:]).decode(errors="replace").partition(":")
        return name if self.users.get(name) == password else None

    def answer(self, method, target, header, body):
        user = self.user(header)
        if user is None:
            return 401, "", {"WWW-Authenticate": 'Basic realm="mesos"'}
        parts = urllib.parse.urlsplit(target)
        path = urllib.parse.unquote(parts.path)
        for wanted, pattern, function in self.routes:
            found = pattern.fullmatch(path)
            if wanted == method and found:
                try:
                    answered = function(user, found.groups(), dict(urllib.parse.parse_qsl(parts.query)), json.loads(body) if body else None)
                except (KeyError, ValueError, TypeError) as fault:
                    return 400, {"message": "%s: %s" % (type(fault).__name__, fault)}, {}
                return answered if len(answered) == 3 else answered + ({},)
        return 404, {"message": "no such thing: " + path}, {}

    def serve(self):
        self.server.serve_forever()

    def background(self):
        threading.Thread(target=self.serve, daemon=True).start()


def forever(function, pause=0.3):
    """For the whole run of a stand-in."""
    while True:
        try:
            function()
        except (OSError, http.client.HTTPException, ValueError) as fault:
            print(fault, flush=True)
        time.sleep(pause)


class Framework:
    """The framework's side: sends its tasks to the leading master, and receives their states."""

    def __init__(self, name, master, principal, secret_file):
        self.name = name
        client, path = zookeeper(master)
        self.masters = Election(client, path)
        with open(secret_file, encoding="utf-8") as file:
            self.login = (principal, file.read().strip())
        self.lock = threading.Lock()
        self.wanted, self.states = {}, {}

    def agents(self):
        """What the leading master knows of its agents: hostname and resources."""
        led = self.masters.leader()
        if led is None:
            return []
        status, text = call(led["hostname"], led["port"], "GET", "/master/state", self.login)
        return [agent for agent in json.loads(text)["slaves"] if agent["active"]] if status == 200 else []

    def step(self):
        led = self.masters.leader()
        if led is None:
            return
        with self.lock:
            body = {"name": self.name, "tasks": list(self.wanted.values())}
        status, text = call(led["hostname"], led["port"], "POST", "/stand-in/framework", self.login, body)
        if status == 200:
            with self.lock:
                self.states = json.loads(text)
        else:
            print("the master refuses %s: %d" % (self.name, status), flush=True)
