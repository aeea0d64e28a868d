"""systemd units: services of the contract, and the restarts that changed items need."""

import time

from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind

# Only services have a Type and NRestarts, and with systemd before 235 no NRestarts. Job has a value while the unit waits for one.
PROPERTIES = ("LoadState", "UnitFileState", "ActiveState", "SubState", "NeedDaemonReload", "Type", "NRestarts", "Job")
UNIT_FOLDERS = ("/etc/systemd/", "/usr/lib/systemd/", "/lib/systemd/", "/usr/local/lib/systemd/", "/etc/init.d/")
RUNNING = ("active", "reloading")
START_PATIENCE = 15
# systemd takes daemons of these types for started at once; one with a broken configuration exits a moment later. The others say when
# they are ready. One of them that dies after that is seen if it is dead at the end of the phase: a wait for it is not worth its time.
READY_UNKNOWN = ("simple", "exec", "idle")
RELOAD_KNOWN = ("notify-reload", "oneshot")
FIRST_LOOK = 1.0


def is_unit_file(item):
    return item["type"] in ("file", "link", "ini") and item["path"].startswith(UNIT_FOLDERS)


class Started:
    """A unit right after its start, restart or reload."""

    def __init__(self, verb, seen):
        self.reloaded = verb == "reload-or-restart"
        self.restarts = seen["restarts"]
        waits = seen["type"] not in RELOAD_KNOWN if self.reloaded else seen["type"] in READY_UNKNOWN
        self.look_at = time.monotonic() + (FIRST_LOOK if waits else 0)


class Units:
    """`started`: units that were started, restarted or reloaded, by name, until they were seen to run."""

    def __init__(self, host):
        self.host = host
        self.started = {}

    def show(self, item_id, units):
        answer = self.host.run(["systemctl", "show", "--no-pager"] + [word for name in PROPERTIES for word in ("-p", name)] + ["--"] + units)
        blocks = [dict(line.split("=", 1) for line in block.splitlines() if "=" in line) for block in answer.out.strip().split("\n\n")]
        if answer.rc != 0 or len(blocks) != len(units):
            raise ItemFailed(item_id, "systemctl show failed: " + answer.words())
        return [self.seen(block) for block in blocks]

    @staticmethod
    def seen(block):
        known = block["LoadState"] != "not-found"
        file_state = block.get("UnitFileState", "") if known else ""
        if file_state.startswith("enabled"):
            enabled = True
        elif not known or file_state.startswith(("disabled", "masked", "linked", "bad")):
            enabled = False
        else:
            enabled = None
        return {
            "known": known,
            "enabled": enabled,
            "active": block["ActiveState"] in RUNNING,
            "masked": file_state.startswith("masked"),
            "state": block["ActiveState"],
            "detail": block.get("SubState", ""),
            "stale": block.get("NeedDaemonReload") == "yes",
            "type": block.get("Type", ""),
            "restarts": int(block.get("NRestarts") or 0),
            "queued": block.get("Job", "") not in ("", "0"),
        }

    def daemon_reload(self):
        self.host.must(None, ["systemctl", "daemon-reload"])

    def order(self, item_id, verb, unit):
        answer = self.host.run(["systemctl", verb, "--", unit])
        if answer.rc != 0:
            raise ItemFailed(item_id, "systemctl %s %s failed: %s%s" % (verb, unit, answer.words(), self.journal(unit)))

    def journal(self, unit):
        said = self.host.run(["journalctl", "--no-pager", "--quiet", "--output=cat", "--lines=12", "--unit", unit]).out.strip()
        # A fault that a unit's own tool found is told as if a role's script had found it: as a line of its own.
        faults = [line for line in said.splitlines() if line.startswith("FAULT\t")]
        return "; its journal ends: " + " | ".join(said.splitlines()) + "".join("\n" + line for line in faults[-1:]) if said else ""

    def start(self, item_id, verb, unit):
        """Starts, restarts or reloads a unit; await_running must follow, as what comes in between takes a part of the wait."""
        self.order(item_id, verb, unit)
        self.started[unit] = Started(verb, self.show(item_id, [unit])[0])

    def check_started(self):
        """Fails if a started unit does not run; returns those that still start or stop, with what was seen."""
        units = list(self.started)
        waiting = []
        for unit, seen in zip(units, self.show(None, units) if units else []):
            again = seen["restarts"] - self.started[unit].restarts
            # One that stops may still say why, and one with a job is between two states.
            moving = seen["detail"] != "auto-restart" and (seen["queued"] or seen["state"] in ("activating", "deactivating"))
            if again > 0:
                raise self.down(unit, seen, "it ended, systemd started it again (%d so far), and now it is" % again)
            if not seen["active"]:
                if not moving:
                    raise self.down(unit, seen)
                waiting.append((unit, seen))
        return waiting

    def down(self, unit, seen, how="it is"):
        return ItemFailed("service:" + unit, "%s does not stay up: %s %s (%s)%s" % (unit, how, seen["state"], seen["detail"], self.journal(unit)))

    def await_running(self):
        """Fails if a started unit is not running, or restarts by itself."""
        if not self.started:
            return
        deadline = time.monotonic() + START_PATIENCE
        time.sleep(max(0, max(unit.look_at for unit in self.started.values()) - time.monotonic()))
        waiting = self.check_started()
        while waiting:
            if time.monotonic() > deadline:
                raise self.down(*waiting[0])
            time.sleep(0.5)
            waiting = self.check_started()
        self.started = {}

    def wake(self, pending, services):
        """Restarts and reloads pending units that run and should run; returns their names."""
        resting = {item["unit"] for item in services if not item.get("active", True)}
        units = [unit for unit in pending["restarts"] + pending["reloads"] if unit not in resting]
        if not units:
            return [], []
        seen = dict(zip(units, self.show(None, units)))
        running = [unit for unit in units if seen[unit]["active"] or seen[unit]["state"] == "activating"]
        restarts = [unit for unit in dict.fromkeys(running) if unit in pending["restarts"]]
        reloads = [unit for unit in dict.fromkeys(running) if unit not in pending["restarts"]]
        for unit in restarts:
            self.start("service:" + unit, "restart", unit)
        for unit in reloads:
            self.start("service:" + unit, "reload-or-restart", unit)
        return restarts, reloads


class ServiceKind(Kind):
    def __init__(self, host, originals):
        super().__init__(host, originals)
        self.units = Units(host)

    def look_all(self, items):
        return self.units.show(items[0]["id"], [item["unit"] for item in items])

    def look(self, item):
        return self.look_all([item])[0]

    def wanted(self, item, seen, earlier):
        wanted = {"active": bool(item.get("active", True))}
        # None: static, generated, an alias; such a unit can be neither enabled nor disabled.
        if seen["enabled"] is not None:
            wanted["enabled"] = bool(item.get("enabled", True))
        return wanted

    def remember(self, item, seen):
        return {name: seen[name] for name in ("known", "enabled", "active", "masked")}

    def apply_all(self, changes, befores):
        if any(change.seen["stale"] for change in changes):
            self.units.daemon_reload()
        for change in changes:
            item, seen, wanted = change.item, change.seen, change.wanted
            if not seen["known"]:
                raise ItemFailed(item["id"], "systemd knows no unit %s: does a package of this contract install it?" % item["unit"])
            if seen["masked"] and (wanted["active"] or wanted.get("enabled")):
                self.units.order(item["id"], "unmask", item["unit"])
            if "enabled" in change.differing:
                self.units.order(item["id"], "enable" if wanted["enabled"] else "disable", item["unit"])
            if "active" in change.differing:
                if seen["state"] == "failed":
                    self.units.order(item["id"], "reset-failed", item["unit"])
                if wanted["active"]:
                    self.units.start(item["id"], "start", item["unit"])
                else:
                    self.units.order(item["id"], "stop", item["unit"])
            change.applied = True

    def leave(self, item, before):
        seen = self.look(item)
        if not seen["known"]:
            return None
        done = []
        if seen["active"] != before["active"]:
            self.units.order(item["id"], "start" if before["active"] else "stop", item["unit"])
            done.append("started" if before["active"] else "stopped")
        enabled = before["enabled"] if before["known"] else False
        if seen["enabled"] is not None and enabled is not None and seen["enabled"] != enabled:
            self.units.order(item["id"], "enable" if enabled else "disable", item["unit"])
            done.append("enabled" if enabled else "disabled")
        if before["masked"] and not seen["masked"]:
            self.units.order(item["id"], "mask", item["unit"])
            done.append("masked")
        return " and ".join(done) + (", as it was found" if before["known"] else "") if done else None
