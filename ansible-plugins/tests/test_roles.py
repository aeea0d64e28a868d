"""Every role uses the common tasks, and its contract's files exist."""

import os
import re
import unittest

import plugins
import yaml

ROLES = os.path.join(plugins.REPOSITORY, "ansible-roles")

CHOICE = re.compile(r"select(attr\('\w+',|\() ?'in', \w+\.stdout_lines\)")


def names():
    return sorted(name for name in os.listdir(ROLES) if os.path.isdir(os.path.join(ROLES, name)))


def text(*parts):
    with open(os.path.join(ROLES, *parts), encoding="utf-8") as stream:
        return stream.read()


def included(name, files):
    """The tasks files that these include."""
    return {task["ansible.builtin.include_tasks"] for file in sorted(files) for task in yaml.safe_load(text(name, "tasks", file)) if "ansible.builtin.include_tasks" in task}


def tasks(name):
    """Action files; empty for a role with items only."""
    folder = os.path.join(ROLES, name, "tasks")
    return os.listdir(folder) if os.path.isdir(folder) else []


class RolesTest(unittest.TestCase):
    def test_tasks_files_are_exactly_those_of_the_actions_and_what_they_include(self):
        for name in names():
            actions = yaml.safe_load(text(name, "meta", "contract.yml")).get("actions") or []
            wanted = {action["run"] for action in actions} | {action["undo"] for action in actions if " " not in action["undo"]}
            self.assertEqual(set(tasks(name)), wanted | included(name, wanted), name)

    def test_actions_use_only_what_debians_ansible_brings(self):
        keywords = {"name", "when", "loop", "loop_control", "register", "changed_when", "failed_when", "ignore_errors", "until", "retries", "delay", "environment", "vars",
                    "become", "become_user", "no_log", "args", "check_mode", "block", "rescue", "always", "delegate_to", "run_once", "notify", "tags", "async", "poll"}
        for name in names():
            for file in tasks(name):
                for task in yaml.safe_load(text(name, "tasks", file)):
                    # An undo may leave some items before it restarts a host.
                    modules = [key for key in task if key not in keywords and not (key == "contract" and file.endswith("_undo.yml"))]
                    self.assertTrue(all(module.startswith("ansible.builtin.") for module in modules), "%s/tasks/%s: %s" % (name, file, modules))
                    self.assertIn("name", task, "%s/tasks/%s" % (name, file))

    def test_what_a_host_says_names_no_file_of_the_controller(self):
        """A registered answer may select names from the contract or the controller, and never be used as a name itself."""
        reading = {"ansible.builtin." + name for name in ("copy", "template", "script", "unarchive", "assemble", "include_tasks", "include_vars", "fetch")}
        for name in names():
            for file in tasks(name):
                loaded = yaml.safe_load(text(name, "tasks", file))
                said = {each["register"] for each in loaded if "register" in each} - {"deepsite_contract"}
                for task in loaded:
                    for module in reading & set(task):
                        self.assertNotEqual(module, "ansible.builtin.fetch", "%s/tasks/%s" % (name, file))
                        asked = CHOICE.sub("", str(task[module]) + str(task.get("loop")))
                        self.assertFalse([each for each in said if each in asked], "%s/tasks/%s: %s" % (name, file, task["name"]))

    def test_only_tasks_of_actions_with_arguments_are_delegated(self):
        """The bundle of a process knows the hosts that the arguments name, and no others."""
        for name in names():
            named = set()
            for action in yaml.safe_load(text(name, "meta", "contract.yml")).get("actions") or []:
                if action.get("with"):
                    named |= {file for file in (action["run"], action["undo"]) if " " not in file}
            named |= included(name, named)
            delegating = {file for file in tasks(name) if "delegate_to:" in text(name, "tasks", file)}
            self.assertLessEqual(delegating, named, name)

    def test_every_role_has_a_readme_and_variables(self):
        for name in names():
            self.assertTrue(text(name, "README.md").startswith("# " + name))
            options = yaml.safe_load(text(name, "meta", "argument_specs.yml"))["argument_specs"]["main"].get("options") or {}
            for option in options:
                self.assertTrue(option.startswith(name + "_"), "%s: %s" % (name, option))

    def test_every_role_is_held_to_leaving_or_says_where_and_why_not(self):
        with open(os.path.join(plugins.REPOSITORY, "testbed", "roles", "untested"), encoding="utf-8") as stream:
            untested = {line.split(None, 2)[0]: line.split(None, 2)[1:] for line in stream if not line.startswith("#")}
        for name in names():
            tests = os.path.join(ROLES, name, "tests")
            tested = any(os.path.exists(os.path.join(tests, what)) for what in ("site.yaml", "variables.yaml"))
            self.assertNotEqual(tested, name in untested, "%s has tests/site.yaml or tests/variables.yaml, or is in testbed/roles/untested" % name)
            if tested:
                for file in ("drift", "drifted"):
                    self.assertTrue(os.path.isfile(os.path.join(tests, file)), "%s/tests/%s" % (name, file))
        for name, (lane, reason) in untested.items():
            self.assertIn(name, names())
            self.assertTrue(os.path.isfile(os.path.join(plugins.REPOSITORY, "testbed", "lanes", lane)), lane)
            self.assertGreater(len(reason.split()), 5, reason)
            self.assertIn("lane `%s`" % lane, text(name, "README.md"))


if __name__ == "__main__":
    unittest.main()
