package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.deepsite.TestSites;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Python's jinja2 renders every template that the rules allow to the same bytes. Needs python3-jinja2, as ansible-core
 * does.
 */
class TemplateParityTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Options of Ansible's template module; undefined names are errors. */
    private static final String RENDER = """
            import json, sys
            import jinja2
            environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
            environment.globals["secret"] = lambda name: "\\x01secret:%s\\x02" % name
            environment.globals["json_secret"] = lambda name: "\\x01json:%s\\x02" % name
            environment.globals["apache_secret"] = lambda name: "\\x01apache:%s\\x02" % name
            environment.globals["public_key"] = lambda name: "\\x01public:%s\\x02" % name
            environment.globals["fact"] = lambda machine, fact: "\\x01fact:%s:%s\\x02" % (machine, fact)
            out = []
            for case in json.load(sys.stdin):
                try:
                    out.append({"text": environment.from_string(case["template"]).render(case["scope"])})
                except Exception as error:
                    out.append({"error": "%s: %s" % (type(error).__name__, error)})
            json.dump(out, sys.stdout)
            """;

    private static final Map<String, Object> SCOPE = scope();

    private static final List<String> TEMPLATES = List.of(
            "{{ word }}\n",
            "{{ word }}",
            "\n\n{{ word }}\n\n",
            "a\n{% if yes %}\nb\n{% endif %}\nc\n",
            "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n",
            "a\n{%- if yes %}\n b\n{%- endif %}\nc",
            "a {% if yes -%}\n   b {% else -%} c {% endif -%}\n   d",
            "{# note #}\nx {# note #} y\n",
            "{% for x in list %}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}",
            "{% for x in list -%}\n{{ loop.index }}/{{ loop.length }} {{ loop.index0 }} {{ loop.revindex }}\n{% endfor -%}\nend",
            "{% for k, v in map.items() %}{{ k }}={{ v }};{% endfor %}",
            "{% for k in map %}{{ k }};{% endfor %}",
            "{% for i in range(2, 5) %}{{ i }}{% endfor %}",
            "{% for a in nodes %}{% for b in nodes %}{{ a.name }}{{ b.name }}{{ loop.index }} {% endfor %}{% endfor %}",
            "{% set x = n + 1 %}\n{{ x }} {{ x * 2 }} {{ x - 20 }}",
            "{{ n // 2 }} {{ (n * 95) // 100 }} {{ n + 2 * 3 }} {{ (n + 2) * 3 }}",
            "{{ word + '!' }} {{ word ~ n }}",
            "{{ 'yes' if yes else 'no' }}{{ 'yes' if no else 'no' }}{{ 'x' if none_here else 'y' }}{{ 'x' if zero else 'y' }}",
            "{{ 'x' if yes and not no else 'y' }}{{ 'x' if no or n > 3 else 'y' }}{{ 'x' if n >= 7 and n != 8 else 'y' }}",
            "{{ 'x' if 'a' in list and 'q' not in list else 'y' }}{{ 'x' if 'a' in word else 'y' }}",
            "{% if n == 7 %}seven{% elif n == 8 %}eight{% else %}other{% endif %}",
            "{% if nope is defined %}x{% else %}y{% endif %}{{ nope | default('z') }}{{ blank | default('e', true) }}",
            "{% if word is string and n is number and map is mapping and list is sequence %}x{% endif %}",
            "{% if n is odd and not (zero is odd) and zero is even %}x{% endif %}",
            "{% if (list | length) is equalto 4 %}x{% endif %}",
            "{{ list | join }} {{ list | join(', ') }} {{ numbers | join('-') }}",
            "{{ list | sort | join }} {{ numbers | sort | join(',') }} {{ list | unique | join }} {{ list | reverse | join }}",
            "{{ list | first }} {{ list | last }} {{ list | length }} {{ word | length }} {{ map | length }}",
            "{{ word | upper }} {{ 'ABC' | lower }} {{ '  x ' | trim }}| {{ word | replace('a', 'xyz') }}",
            "{{ '12' | int }} {{ 'x' | int }} {{ n | string }}",
            "{{ list | map('upper') | join }} {{ nodes | map(attribute='name') | join(' ') }}",
            "{{ nodes | selectattr('gpus') | map(attribute='name') | join }} {{ nodes | rejectattr('gpus') | list | length }}",
            "{{ nodes | selectattr('name', 'equalto', 'n2') | map(attribute='rack') | join }}",
            "{{ list | select('equalto', 'b') | list | length }} {{ list | reject('equalto', 'b') | join }}",
            "{{ numbers | map('string') | join(',') }} {{ nodes | map(attribute='gpus') | map('length') | join }}",
            "{{ map['k'] }} {{ map.z }} {{ nodes[1].gpus[0] }} {{ nodes[0]['name'] }}",
            "{{- word -}} x {{- word }}",
            "'{{ word }}' \"{{ word }}\" {{ '{{' }} {{ '%}' }} }} %} <>&",
            "{{ secret('munge_key') }}{{ json_secret('door_secret') }}{{ apache_secret('door_secret') }}{{ public_key('an_ssh_key') }}{{ fact('node-1', 'address') }}",
            "{{ ['x', 'y'] | join }} {{ {'a': 'b'}.a }} {{ ('p', 'q') | join }}",
            "{{ list | sort(true) | join }} {{ nodes | sort(true, false, 'rack') | map(attribute='name') | join }}");

    private static String python = "";

    @TempDir
    Path root;

    @BeforeAll
    static void findJinja2() {
        python = Stream.of("/usr/bin/python3", "python3")
                .filter(TemplateParityTest::hasJinja2)
                .findFirst()
                .orElse("");
        assumeTrue(!python.isEmpty(), "python3-jinja2 is not installed");
    }

    @Test
    void allowedExpressionsMeanTheSame() throws Exception {
        compare(TEMPLATES.stream()
                .map(template -> new Case(template, template, SCOPE))
                .toList());
    }

    @Test
    void templatesOfTheRepositoryRenderTheSame() throws Exception {
        var templates = new TemplateRenderer(RepositoryRoles.HOME);
        var cases = new ArrayList<Case>();
        for (var use : RepositoryRoles.uses()) {
            var scope = new HashMap<String, Object>(Variables.complete(
                    use.role(),
                    Role.read(RepositoryRoles.HOME, templates, use.role()).variables(),
                    use.variables()));
            scope.put("inventory_hostname", use.machine().name());
            scope.put(
                    "host",
                    new SiteScope(RepositoryRoles.allMachines(use.machine().container()))
                            .of(use.machine().name()));
            for (var template : RepositoryRoles.templates()) {
                if (template.startsWith(use.role() + "/")) {
                    cases.add(new Case(template, text(template), scope));
                }
            }
        }
        var site = TestSites.load(RepositoryRoles.HOME.root().resolve("site-examples/quickstart/site.yaml"), Map.of());
        for (var acceptance : TestSites.acceptance(site.orFail(), RepositoryRoles.machines(true))) {
            cases.add(new Case(acceptance.template(), text(acceptance.template()), acceptance.variables()));
        }
        assertThat(cases).hasSizeGreaterThan(10);
        compare(cases);
    }

    private void compare(List<Case> cases) throws IOException, InterruptedException {
        Files.createDirectories(root.resolve("templates"));
        Files.createDirectories(root.resolve("ansible-roles"));
        var answers = jinja2(cases);
        var renderer = new TemplateRenderer(new DeepsiteHome(root));
        var differing = new LinkedHashMap<String, String>();
        for (int i = 0; i < cases.size(); i++) {
            var one = cases.get(i);
            Files.writeString(root.resolve("templates/" + i), one.template());
            var ours = ours(renderer, String.valueOf(i), one.scope());
            var theirs = answers.get(i)
                    .path("text")
                    .asString(answers.get(i).path("error").asString(""));
            if (!ours.equals(theirs)) {
                differing.put(one.name(), "jinjava: " + ours + "\njinja2: " + theirs);
            }
        }
        assertThat(differing).isEmpty();
    }

    private static String ours(TemplateRenderer renderer, String template, Map<String, ?> scope) {
        try {
            return renderer.render(template, scope);
        } catch (Failure e) {
            return e.diagnostics().toString();
        }
    }

    private JsonNode jinja2(List<Case> cases) throws IOException, InterruptedException {
        var input = Files.writeString(root.resolve("cases.json"), JSON.writeValueAsString(cases));
        var process = new ProcessBuilder(python, "-c", RENDER)
                .redirectInput(input.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return JSON.readTree(out);
    }

    private static boolean hasJinja2(String program) {
        try {
            return new ProcessBuilder(program, "-c", "import jinja2")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String text(String template) throws IOException {
        return Files.readString(RepositoryRoles.HOME.templates().resolve(template));
    }

    private static Map<String, Object> scope() {
        var scope = new HashMap<String, Object>();
        scope.put("word", "a b");
        scope.put("blank", "");
        scope.put("n", 7);
        scope.put("zero", 0);
        scope.put("yes", true);
        scope.put("no", false);
        scope.put("list", List.of("b", "a", "b", "C"));
        scope.put("numbers", List.of(10, 9, 100));
        scope.put("none_here", List.of());
        var map = new LinkedHashMap<String, Object>();
        map.put("k", "v");
        map.put("z", 1);
        scope.put("map", map);
        scope.put(
                "nodes",
                List.of(
                        Map.of("name", "n1", "gpus", List.of(), "rack", 1),
                        Map.of("name", "n2", "gpus", List.of("k20"), "rack", 2)));
        return scope;
    }

    /** Jackson writes it in the form that the Python side reads. */
    record Case(String name, String template, Map<String, ?> scope) {}
}
