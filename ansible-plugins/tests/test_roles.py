"""Every role's tasks are the common text, and what its contract names is there."""

import os
import unittest

import plugins
import yaml

ROLES = os.path.join(plugins.REPOSITORY, "ansible-roles")


def names():
    return sorted(name for name in os.listdir(ROLES) if os.path.isdir(os.path.join(ROLES, name)))


def text(*parts):
    with open(os.path.join(ROLES, *parts), encoding="utf-8") as stream:
        return stream.read()


class RolesTest(unittest.TestCase):
    def test_tasks_are_the_same_text_in_every_role(self):
        for name in names():
            for file in ("main.yml", "leave.yml"):
                self.assertEqual(text(name, "tasks", file), text("motd", "tasks", file), "%s/tasks/%s" % (name, file))

    def test_tasks_files_are_exactly_those_of_the_actions_and_what_they_include(self):
        for name in names():
            actions = yaml.safe_load(text(name, "meta", "contract.yml")).get("actions") or []
            wanted = {"main.yml", "leave.yml"} | {action["run"] for action in actions} | {action["undo"] for action in actions if " " not in action["undo"]}
            for file in sorted(wanted - {"main.yml", "leave.yml"}):
                wanted |= {task["ansible.builtin.include_tasks"] for task in yaml.safe_load(text(name, "tasks", file)) if "ansible.builtin.include_tasks" in task}
            self.assertEqual(set(os.listdir(os.path.join(ROLES, name, "tasks"))), wanted, name)

    def test_actions_use_only_what_debians_ansible_brings(self):
        keywords = {"name", "when", "loop", "loop_control", "register", "changed_when", "failed_when", "ignore_errors", "until", "retries", "delay", "environment", "vars",
                    "become", "become_user", "no_log", "args", "check_mode", "block", "rescue", "always", "delegate_to", "run_once", "notify", "tags", "async", "poll"}
        for name in names():
            for file in os.listdir(os.path.join(ROLES, name, "tasks")):
                if file in ("main.yml", "leave.yml"):
                    continue
                for task in yaml.safe_load(text(name, "tasks", file)):
                    # An undo may leave some of the items before it restarts a host.
                    modules = [key for key in task if key not in keywords and not (key == "contract" and file.endswith("_undo.yml"))]
                    self.assertTrue(all(module.startswith("ansible.builtin.") for module in modules), "%s/tasks/%s: %s" % (name, file, modules))
                    self.assertIn("name", task, "%s/tasks/%s" % (name, file))

    def test_every_role_has_a_readme_and_variables(self):
        for name in names():
            self.assertTrue(text(name, "README.md").startswith("# " + name))
            options = yaml.safe_load(text(name, "meta", "argument_specs.yml"))["argument_specs"]["main"].get("options") or {}
            for option in options:
                self.assertTrue(option.startswith(name + "_"), "%s: %s" % (name, option))


if __name__ == "__main__":
    unittest.main()
