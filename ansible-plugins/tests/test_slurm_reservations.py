"""Reservations of a site beside those of an administrator, with a scontrol that keeps them in a file."""

import contextlib
import importlib.util
import io
import json
import os
import stat
import tempfile
import time
import unittest
from importlib.machinery import SourceFileLoader

import plugins

SCRIPT = os.path.join(plugins.REPOSITORY, "templates/slurm_reservations/usr/local/sbin/deepsite-slurm-reservations.j2")
# Plays scontrol of Slurm 22.05.8 (src/scontrol/create_res.c, src/slurmctld/reservation.c): names, times of SLURM_TIME_FORMAT=%s, flags as it shows
# them; an update takes no flag away.
SCONTROL = '''#!/usr/bin/python3 -IS
import json, os, sys, time
FILE = os.environ["RESERVATIONS"]
held = json.load(open(FILE))
verb, *words = sys.argv[2:]
entry = dict(word.split("=", 1) for word in words if "=" in word)
seconds = lambda text: int(time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S")))
if verb == "show" and words[0] == "hostnames":
    print(words[1].replace(",", "\\n"))
elif verb == "show":
    for name, one in held.items():
        print("ReservationName=%s StartTime=%d EndTime=%d Duration=x Nodes=%s NodeCnt=1 Flags=%s TRES=cpu=1 Users=%s Groups=(null) Accounts=%s State=INACTIVE" % (
            name, one["start"], one["end"], one["nodes"], one["flags"] + ",SPEC_NODES", one["users"] or "(null)", one["accounts"] or "(null)"))
elif verb == "delete":
    if held.pop(entry["reservation"], None).get("busy"):
        sys.exit("Requested reservation is in use")
else:
    one = held.setdefault(entry["reservation"], {"flags": "", "users": "", "accounts": ""})
    for given, key, read in (("starttime", "start", seconds), ("endtime", "end", seconds), ("nodes", "nodes", str), ("users", "users", str), ("accounts", "accounts", str), ("flags", "flags", str)):
        if given in entry:
            one[key] = read(entry[given])
if verb != "show":
    json.dump(held, open(FILE, "w"))
    print("Reservation changed")
'''
HOUR = 3600


class ReservationsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.held({})
        with open(os.path.join(self.folder, "scontrol"), "w", encoding="utf-8") as stream:
            stream.write(SCONTROL)
        os.chmod(stream.name, stat.S_IRWXU)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.update(PATH=self.folder + ":" + before["PATH"], RESERVATIONS=os.path.join(self.folder, "held.json"))
        loader = SourceFileLoader("reservations", SCRIPT)
        self.script = importlib.util.module_from_spec(importlib.util.spec_from_loader("reservations", loader))
        loader.exec_module(self.script)
        self.script.WANTED = os.path.join(self.folder, "wanted")
        self.script.RECORD = os.path.join(self.folder, "lib", "record.json")
        # 2026-11-26 04:00 UTC, a Thursday.
        self.now = 1795665600
        self.script.time = FakeTime(lambda: self.now)

    def held(self, entries=None):
        if entries is not None:
            with open(os.path.join(self.folder, "held.json"), "w", encoding="utf-8") as stream:
                json.dump(entries, stream)
        with open(os.path.join(self.folder, "held.json"), encoding="utf-8") as stream:
            return json.load(stream)

    def wanted(self, *lines):
        with open(self.script.WANTED, "w", encoding="utf-8") as stream:
            stream.write("# A comment\n" + "".join(line + "\n" for line in lines))

    def entry(self, name="course", start=24 * HOUR, minutes=60, flags="", nodes="node-1", users="alice", accounts=""):
        return "%s start=%d minutes=%d flags=%s nodes=%s users=%s accounts=%s" % (name, self.now + start, minutes, flags, nodes, users, accounts)

    def run_verb(self, verb):
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.script.main(verb)
            raise SystemExit(0)
        return ended.exception.code

    def apply(self):
        self.assertEqual(self.run_verb("apply"), 0)
        self.assertEqual(self.run_verb("check"), 0)

    def test_what_is_wanted_is_made_once(self):
        self.wanted(self.entry(flags="MAINT,IGNORE_JOBS", users="root"))
        self.assertEqual(self.run_verb("check"), 1)
        self.apply()
        self.assertEqual(self.held()["course"]["start"], self.now + 24 * HOUR)
        self.apply()

    def test_of_an_administrator_nothing_is_touched(self):
        theirs = {"start": self.now, "end": self.now + HOUR, "nodes": "node-1", "flags": "MAINT", "users": "root", "accounts": ""}
        self.held({"theirs": theirs})
        self.wanted(self.entry())
        self.apply()
        self.assertEqual(self.held()["theirs"], theirs)
        self.wanted(self.entry(name="theirs"))
        self.assertEqual(self.run_verb("apply"), 1)
        self.assertEqual(self.held()["theirs"], theirs)

    def test_what_left_the_site_goes(self):
        self.wanted(self.entry(), self.entry(name="work"))
        self.apply()
        self.wanted(self.entry(name="work"))
        self.apply()
        self.assertEqual(list(self.held()), ["work"])
        self.assertEqual(self.run_verb("remove"), 0)
        self.assertEqual(self.held(), {})
        self.assertFalse(os.path.exists(self.script.RECORD))

    def test_a_change_keeps_the_reservation_where_slurm_can(self):
        self.wanted(self.entry())
        self.apply()
        entries = self.held()
        entries["course"]["busy"] = True
        self.held(entries)
        self.wanted(self.entry(nodes="node-1,node-2", users="alice,bob", minutes=90))
        self.apply()
        self.assertTrue(self.held()["course"]["busy"])
        self.wanted(self.entry(nodes="node-1,node-2", users="alice,bob", minutes=90, flags="MAINT,IGNORE_JOBS"))
        self.assertIn("in use", self.run_verb("apply"))

    def test_a_flag_and_a_list_go_with_a_new_one(self):
        self.wanted(self.entry(flags="DAILY", accounts="physics"))
        self.apply()
        self.wanted(self.entry())
        self.apply()
        self.assertEqual([self.held()["course"][key] for key in ("flags", "accounts")], ["", ""])

    def test_one_that_is_over_is_done(self):
        self.wanted(self.entry(start=-3 * HOUR))
        self.apply()
        self.assertEqual(self.held(), {})

    def test_one_that_runs_keeps_its_end(self):
        self.wanted(self.entry(start=-HOUR, minutes=120))
        self.apply()
        self.assertEqual([self.held()["course"][key] - self.now for key in ("start", "end")], [0, HOUR])
        self.now += 600
        self.wanted(self.entry(start=-HOUR - 600, minutes=180))
        self.apply()
        self.assertEqual(self.held()["course"]["end"] - self.now, 2 * HOUR - 600)

    def test_one_that_comes_back_starts_at_its_hour_on_its_days(self):
        for flag, days in (("WEEKLY", 6), ("DAILY", 1), ("WEEKDAY", 1), ("WEEKEND", 2)):
            with self.subTest(flag):
                self.held({})
                self.wanted(self.entry(start=-HOUR - 8 * 24 * HOUR if flag == "WEEKLY" else -HOUR, flags=flag))
                self.apply()
                self.assertEqual(self.held()["course"]["start"] - self.now, days * 24 * HOUR - HOUR)

    def test_one_that_came_back_is_the_same(self):
        self.wanted(self.entry(flags="DAILY"))
        self.apply()
        entries = self.held()
        for key in ("start", "end"):
            entries["course"][key] += 3 * 24 * HOUR
        self.held(entries)
        self.now += 4 * 24 * HOUR
        self.assertEqual(self.run_verb("check"), 0)
        entries["course"]["start"] += HOUR
        self.held(entries)
        self.assertEqual(self.run_verb("check"), 1)


class FakeTime:
    strftime = staticmethod(time.strftime)
    localtime = staticmethod(time.localtime)

    def __init__(self, now):
        self.time = now


if __name__ == "__main__":
    unittest.main()
