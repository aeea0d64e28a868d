"""Debian packages: all of a phase in one call of apt."""

import contextlib
import os
import re
import time

from ansible.module_utils.deepsite.host import Answer, ItemFailed
from ansible.module_utils.deepsite.kind import Kind

LISTS = "/var/lib/apt/lists"
STAMP = "/var/lib/deepsite/apt-updated"
# Lists that apt did not trust at the last update; deepsite-repository-key reads this file.
REFUSED = "/var/lib/deepsite/apt-refused"
UNTRUSTED = re.compile(r"^.*(?:NO_PUBKEY|EXPKEYSIG|EXPSIG|REVKEYSIG|BADSIG|OpenPGP signature|is not signed|is no longer signed).*$", re.MULTILINE)
LISTS_OLD_AFTER = 24 * 3600
LOCK_PATIENCE = 900
APT_ENVIRONMENT = {
    "DEBIAN_FRONTEND": "noninteractive",
    "DEBIAN_PRIORITY": "critical",
    "APT_LISTCHANGES_FRONTEND": "none",
    "NEEDRESTART_SUSPEND": "1",
    "UCF_FORCE_CONFFOLD": "1",
}
APT = ["apt-get", "-y", "-q", "-o", "Dpkg::Options::=--force-confold", "-o", "APT::Install-Recommends=false"]
LOOK_EVERY = 2
# Locks of lists and archives, and two of dpkg; apt-daily holds the first two for minutes after the first start of an Ubuntu.
LOCKED = re.compile(r".*(?:could not get lock|(?:is|was) locked by another process|unable to (?:lock|acquire)).*", re.IGNORECASE)
POLICY = "/usr/sbin/policy-rc.d"
POLICY_KEPT = "/usr/sbin/policy-rc.d.before-deepsite"
POLICY_MARK = "# placed by deepsite while packages are installed"
# Packages may stop their services (an upgrade, a removal) and start none: service items start them.
POLICY_TEXT = """#!/bin/sh
%s
for word do [ "$word" != stop ] || exit 0; done
exit 101
""" % POLICY_MARK


class NothingStarted:
    """Inside, packages start no services. An existing policy is restored afterwards, also after a killed run."""

    def __enter__(self):
        self.recover()
        if os.path.lexists(POLICY):
            os.rename(POLICY, POLICY_KEPT)
        descriptor = os.open(POLICY, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(POLICY_TEXT)
        os.chmod(POLICY, 0o755)

    def __exit__(self, *_):
        self.recover()

    @staticmethod
    def recover():
        if os.path.isfile(POLICY):
            with open(POLICY, encoding="utf-8", errors="replace") as stream:
                if POLICY_MARK in stream.read():
                    os.unlink(POLICY)
        if os.path.lexists(POLICY_KEPT) and not os.path.lexists(POLICY):
            os.rename(POLICY_KEPT, POLICY)


class Apt:
    def __init__(self, host):
        self.host = host

    def status(self, names):
        """For each name that dpkg knows: installed, version, held. Names may have an architecture."""
        answer = self.host.run(["dpkg-query", "-W", "-f", "${Package}\\t${Architecture}\\t${db:Status-Abbrev}\\t${Version}\\n", "--"] + names)
        if answer.rc == 127:
            raise ItemFailed(None, answer.err)
        found = {}
        for line in answer.out.splitlines():
            name, architecture, state, version = line.split("\t")
            seen = {"installed": state[1] in "iWt", "version": version, "held": state[0] == "h"}
            for key in (name, name + ":" + architecture):
                if key not in found or seen["installed"]:
                    found[key] = seen
        return found

    def unknown(self, names):
        """Names without a version in the configured repositories."""
        answer = self.host.run(["apt-cache", "policy", "--"] + names)
        candidates = dict(re.findall(r"^(\S+):\n  Installed: .*\n  Candidate: (.*)$", answer.out, re.MULTILINE))
        return [name for name in names if candidates.get(name, "(none)") == "(none)"]

    def lists_are_old(self):
        times = [os.path.getmtime(path) for path in (STAMP, LISTS, LISTS + "/partial") if os.path.exists(path)]
        # Debian's images have empty lists: a folder without an index says nothing about its age.
        filled = os.path.isdir(LISTS) and any(re.search(r"_(Packages|InRelease|Release)(\.\w+)?$", name) for name in os.listdir(LISTS))
        return not filled or not times or time.time() - max(times) > LISTS_OLD_AFTER

    def update(self):
        """Reads the package lists again."""
        # By default apt reports success even if it fetched no list.
        answer = self.patiently(["apt-get", "-y", "-q", "-o", "APT::Update::Error-Mode=any", "update"])
        os.makedirs(os.path.dirname(STAMP), mode=0o700, exist_ok=True)
        untrusted = UNTRUSTED.findall(answer.err)
        if untrusted:
            with open(REFUSED, "w", encoding="utf-8") as stream:
                stream.write("\n".join(untrusted) + "\n")
        if answer.rc == 0:
            with open(STAMP, "w", encoding="utf-8"):
                pass
            if not untrusted and os.path.exists(REFUSED):
                os.unlink(REFUSED)
        return answer

    def patiently(self, argv, inside=contextlib.nullcontext):
        """Waits while another apt or dpkg holds a lock. Only the tries run `inside` the context, not the waiting: the context would
        also affect the other's packages."""
        deadline = time.monotonic() + LOCK_PATIENCE
        while True:
            with inside():
                answer = self.host.run(argv, env=APT_ENVIRONMENT)
            locked = LOCKED.search(answer.err) if answer.rc != 0 else None
            if not locked:
                return answer
            if time.monotonic() > deadline:
                return Answer(answer.rc, answer.out, "waited %d s for another apt or dpkg: %s" % (LOCK_PATIENCE, locked.group().strip()))
            time.sleep(LOOK_EVERY)

    def must(self, item_id, argv, inside=contextlib.nullcontext):
        answer = self.patiently(argv, inside)
        if answer.rc != 0:
            raise ItemFailed(item_id, "%s failed: %s" % (" ".join(argv[:2]), answer.words()))

    def finish_interrupted(self, item_id):
        """An interrupted run (a reboot, a kill) leaves unpacked packages unconfigured; apt then refuses to work."""
        if not self.host.run(["dpkg", "--audit"]).out.strip():
            return
        answer = self.patiently(["dpkg", "--force-confold", "--configure", "-a"], NothingStarted)
        if answer.rc != 0:
            raise ItemFailed(item_id, "an interrupted installation cannot be finished: " + answer.words())

    def ready(self, item_id, names):
        """Ensures that every name has a version; reads the lists again only when that could help."""
        updated = None
        if self.host.repositories_changed or self.lists_are_old():
            updated = self.update()
            self.host.repositories_changed = False
        unknown = self.unknown(names)
        if unknown and updated is None:
            updated = self.update()
            unknown = self.unknown(names)
        if unknown:
            trouble = "" if updated is None or updated.rc == 0 else "; apt-get update failed: " + updated.words()
            raise ItemFailed(item_id, "%s %s: no version in the configured repositories%s" % (
                "package" if len(unknown) == 1 else "packages", ", ".join(unknown), trouble))

    def install(self, item_id, install, remove):
        """One call for installations and removals; returns packages installed in addition."""
        self.finish_interrupted(item_id)
        words = install + [name + "-" for name in remove]
        planned = self.host.must(item_id, APT + ["--simulate", "install", "--"] + words, env=APT_ENVIRONMENT).out
        going = set(re.findall(r"^Remv (\S+)", planned, re.MULTILINE)) - {name.split(":")[0] for name in remove}
        if going:
            raise ItemFailed(item_id, "apt would also remove %s: make them absent in the contract, or choose other packages" % ", ".join(sorted(going)))
        self.must(item_id, APT + ["install", "--"] + words, NothingStarted)
        return sorted(set(re.findall(r"^Inst (\S+) \(", planned, re.MULTILINE)) - set(install))

    def removal(self, names, command="remove"):
        """Packages that apt would remove with these names."""
        answer = self.host.run(APT + ["--simulate", command, "--"] + names, env=APT_ENVIRONMENT)
        return set(re.findall(r"^Remv (\S+)", answer.out, re.MULTILINE))

    def remove(self, item_id, names):
        self.must(item_id, APT + ["remove", "--"] + names)

    def hold(self, item_id, names, held):
        if names:
            self.must(item_id, ["apt-mark", "hold" if held else "unhold", "--"] + names)


class PackageKind(Kind):
    def __init__(self, host, originals):
        super().__init__(host, originals)
        self.apt = Apt(host)
        self.remove_packages = False

    def look_all(self, items):
        status = self.apt.status([item["name"] for item in items])
        return [status.get(item["name"], {"installed": False, "held": False}) for item in items]

    def wanted(self, item, seen, earlier):
        if item.get("state", "present") == "absent":
            return {"installed": False}
        return {"installed": True, "held": bool(item.get("held", False))}

    def remember(self, item, seen):
        return {"installed": seen["installed"], "held": seen["held"]}

    def apply_all(self, changes, befores):
        install = [change.item["name"] for change in changes if change.wanted["installed"] and not change.seen["installed"]]
        remove = [change.item["name"] for change in changes if not change.wanted["installed"] and change.seen["installed"]]
        first = changes[0].item["id"]
        if install:
            self.apt.ready(first, install)
        # apt does not change held packages, not even to remove them.
        self.apt.hold(first, [change.item["name"] for change in changes if change.seen["held"] and not change.wanted.get("held", False)], False)
        if install or remove:
            came = self.apt.install(first, install, remove)
            if came:
                befores[0]["came_with"] = sorted(set(befores[0].get("came_with", [])) | set(came))
                changes[0].notes.append("came with it: " + ", ".join(came))
        self.apt.hold(first, [change.item["name"] for change in changes if change.wanted.get("held", False)], True)
        status = self.apt.status(install) if install else {}
        for change in changes:
            name = change.item["name"]
            if name in install and not status.get(name, {}).get("installed"):
                raise ItemFailed(change.item["id"], "package %s is not installed after apt-get install: a virtual package? name one that provides it" % name)
            change.applied = True

    def leave_all(self, items, befores):
        said = {}
        status = self.apt.status([item["name"] for item in items])
        for item, before in zip(items, befores):
            now = status.get(item["name"], {"installed": False, "held": False})
            if now["installed"] and now["held"] != before["held"]:
                self.apt.hold(item["id"], [item["name"]], before["held"])
                said[item["id"]] = "hold put back"
            if now["installed"] and not before["installed"] and not self.remove_packages:
                said[item["id"]] = "kept: packages are removed only when that is asked for"
            elif not now["installed"] and before["installed"]:
                said[item["id"]] = "not put back: install %s by hand when it is needed again" % item["name"]
        if self.remove_packages:
            ours = [item for item, before in zip(items, befores) if not before["installed"] and status.get(item["name"], {}).get("installed")]
            said.update(self.remove_ours(ours, {name for before in befores for name in before.get("came_with", [])}))
        return said

    def remove_ours(self, items, came_with):
        said = {}
        ours = {item["name"]: item for item in items}
        gone = {name.split(":")[0] for name in ours} | came_with
        names = list(ours)
        for name in list(names):
            needed_by = self.apt.removal([name]) - gone
            if needed_by:
                names.remove(name)
                said[ours[name]["id"]] = "kept: %s needs it" % ", ".join(sorted(needed_by))
        if names:
            self.apt.remove(ours[names[0]]["id"], names)
            said.update((ours[name]["id"], "removed") for name in names)
        unneeded = sorted(self.apt.removal([], "autoremove") & came_with)
        if names and unneeded:
            self.apt.remove(ours[names[0]]["id"], unneeded)
            said[ours[names[0]]["id"]] = "removed, with " + ", ".join(unneeded)
        return said
