"""deepsite-marathon-lb, the generator of the load balancer's role: configurations for answers of Marathon."""
import importlib.machinery
import importlib.util
import pathlib
import re
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TEMPLATE = HERE.parent.parent / "templates/marathon_lb/usr/local/sbin/deepsite-marathon-lb.j2"


def generator():
    """The template with a site's values: it has three expressions."""
    text = re.sub(r"\[{%.*%}\]", '["127.0.0.1"]', TEMPLATE.read_text())
    text = text.replace("{{ marathon_lb_first_port }}", "10000").replace("{{ marathon_lb_last_port }}", "10010")
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(text)
        file.flush()
        spec = importlib.util.spec_from_loader("generator", importlib.machinery.SourceFileLoader("generator", file.name))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


LB = generator()


def app(name, port=10000, **more):
    return dict({"id": name, "labels": {"HAPROXY_GROUP": "external"}, "portDefinitions": [{"port": port}],
                 "tasks": [{"id": name + ".1", "host": "10.0.0.1", "ports": [31000], "state": "TASK_RUNNING"}]}, **more)


class ConfigurationTest(unittest.TestCase):
    def test_a_service_has_its_port_and_its_tasks(self):
        found = app("/web", tasks=[{"id": "b", "host": "10.0.0.2", "ports": [31001], "state": "TASK_RUNNING"},
                                   {"id": "a", "host": "10.0.0.1", "ports": [31000], "state": "TASK_RUNNING"},
                                   {"id": "c", "host": "10.0.0.3", "ports": [31002], "state": "TASK_STAGING"}])

        text, left_out = LB.configuration([found])

        self.assertIn("listen web_10000\n    bind *:10000\n", text)
        self.assertIn("server task_0 10.0.0.1:31000 check\n    server task_1 10.0.0.2:31001 check\n", text)
        self.assertNotIn("31002", text)
        self.assertEqual(left_out, [])

    def test_ports_of_containers_before_and_after_1_5(self):
        for container in ({"docker": {"portMappings": [{"containerPort": 80, "servicePort": 10003}]}},
                          {"portMappings": [{"containerPort": 80, "servicePort": 10003}]}):
            self.assertIn("bind *:10003\n", LB.configuration([app("/web", container=container)])[0])

    def test_an_app_without_the_label_stays_inside(self):
        for labels in ({}, {"HAPROXY_GROUP": "internal"}, None):
            self.assertEqual(LB.configuration([app("/web", labels=labels)])[0], LB.HEAD)

    def test_a_port_that_another_app_has_is_left_out_and_told(self):
        text, left_out = LB.configuration([app("/second"), app("/first")])

        self.assertIn("listen first_10000", text)
        self.assertNotIn("second", text)
        self.assertEqual(left_out, ["/second: the service port 10000 already belongs to /first"])

    def test_no_app_opens_a_port_of_the_machine_itself(self):
        text, left_out = LB.configuration([app("/web", 22), app("/other", "10000\n    bind *:22")])

        self.assertEqual(text, LB.HEAD)
        self.assertEqual(len(left_out), 2)

    def test_no_text_of_an_app_gets_into_the_file(self):
        found = app("/a b\n    bind *:22", tasks=[{"id": "1", "host": "10.0.0.1\n    server x", "ports": [31000]}])

        self.assertEqual(LB.configuration([found])[0], LB.HEAD + "\nlisten a_b_____bind___22_10000\n    bind *:10000\n    balance roundrobin\n")

    def test_equal_apps_give_equal_text(self):
        self.assertEqual(LB.configuration([app("/a", 10001), app("/b", 10002)]), LB.configuration([app("/b", 10002), app("/a", 10001)]))


if __name__ == "__main__":
    unittest.main()
