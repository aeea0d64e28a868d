package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContractRendererTest {
    private static final Machine HEAD = machine("head", Optional.of("10.0.0.1"));
    private static final Machine NODE = machine("node", Optional.empty());

    @TempDir
    Path root;

    @Test
    void rendersTheSmallestRole() {
        var home = DeepsiteHome.find();
        var renderer = new ContractRenderer(home, new TemplateRenderer(home));

        var rendered = renderer.render("motd", HEAD, new SiteScope(List.of(HEAD)), Map.of("motd_text", "Hello"));

        assertThat(rendered.contract().items())
                .extracting(Item::id)
                .containsExactly(
                        "package:cron",
                        "directory:/var/lib/motd",
                        "file:/etc/motd.d/deepsite",
                        "file:/etc/cron.d/motd",
                        "service:cron.service",
                        "probe:motd-readable");
        var file = (Item.File) rendered.contract().items().get(2);
        assertThat(rendered.texts().get(file.body())).isEqualTo("Hello\n");
        assertThat(file.body()).isEqualTo(Digests.sha256("Hello\n"));
        var action = rendered.contract().actions().getFirst();
        assertThat(action.undo()).contains("joined_undo.yml");
        assertThat(action.with()).containsEntry("record", "/var/lib/motd/joined");
    }

    @Test
    void dropsEntriesWhoseConditionIsFalse() {
        var home = DeepsiteHome.find();
        var renderer = new ContractRenderer(home, new TemplateRenderer(home));

        var rendered = renderer.render("motd", HEAD, new SiteScope(List.of(HEAD)), Map.of("motd_uptime", false));

        assertThat(rendered.contract().items())
                .extracting(Item::id)
                .doesNotContain("package:cron", "service:cron.service");
    }

    @Test
    void repeatsEntriesAndKeepsNativeTypes() throws IOException {
        role("options: {people: {type: list, elements: dict, required: true}}", """
                items:
                  - user: "{{ item.name }}"
                    each: "{{ people }}"
                    when: "{{ item.uid > 1000 }}"
                    uid: "{{ item.uid }}"
                    comment: "No {{ item.uid }}"
                    authorized_keys: "{{ item.keys }}"
                """);

        var contract = render(Map.of(
                        "people",
                        List.of(
                                Map.of("name", "ann", "uid", 2001, "keys", List.of("ssh-ed25519 A")),
                                Map.of("name", "system", "uid", 7, "keys", List.of()))))
                .contract();

        assertThat(contract.items()).hasSize(1);
        var user = (Item.User) contract.items().getFirst();
        assertThat(user.uid()).contains(2001);
        assertThat(user.comment()).contains("No 2001");
        assertThat(user.authorizedKeys()).contains(List.of("ssh-ed25519 A"));
    }

    @Test
    void aValueNeverBecomesYaml() throws IOException {
        role("options: {text: {type: str}}", "items: [{file: /etc/x, content: \"{{ text }}\"}]");

        var rendered = render(Map.of("text", "a: {b: [1]}\nrestarts: [ssh.service]"));

        var file = (Item.File) rendered.contract().items().getFirst();
        assertThat(rendered.texts().get(file.body())).isEqualTo("a: {b: [1]}\nrestarts: [ssh.service]");
        assertThat(file.wake()).isEqualTo(Item.Notify.NONE);
    }

    @Test
    void seesTheMachinesOfTheSite() throws IOException {
        role("options: {}", """
                items:
                  - line: /etc/hosts
                    block: |
                      {% for machine in hosts %}
                      {{ machine.address }} {{ machine.name }}
                      {% endfor %}
                  - file: /etc/self
                    content: "{{ inventory_hostname }} {{ host.cpus }} {{ hosts | map(attribute='address') | join(' ') }}"
                """);

        var rendered = render(Map.of());

        var file = (Item.File) rendered.contract().items().getFirst();
        assertThat(file.unknowns()).containsExactly(new Item.Unknown("node", "address"));
        assertThat(Marker.masked(rendered.texts().get(file.body()))).isEqualTo("head 2 10.0.0.1 <address of node>");
        var line = (Item.Line) rendered.contract().items().getLast();
        assertThat(line.id()).isEqualTo("line:/etc/hosts:probed");
        assertThat(Marker.masked(line.block())).isEqualTo("10.0.0.1 head\n<address of node> node\n");
    }

    @Test
    void knowsWhichFilesHoldSecrets() throws IOException {
        role("options: {}", "items: [{file: /etc/key, mode: \"0600\", content: \"{{ secret('munge_key') }}\"}]");

        var file = (Item.File) render(Map.of()).contract().items().getFirst();

        assertThat(file.secrets()).containsExactly("munge_key");
        assertThat(file.secret()).isTrue();
    }

    @Test
    void refusesASecretOutsideOfAFile() throws IOException {
        role("options: {}", "items: [{probe: x, run: [echo, \"{{ secret('munge_key') }}\"]}]");

        assertThat(fault(Map.of()).code()).isEqualTo(Code.CONTRACT_INVALID);
    }

    @Test
    void namesEveryVariableThatDoesNotFit() throws IOException {
        role("""
                options:
                      count: {type: int, required: true}
                      mode: {type: str, choices: [fast, slow]}
                      nodes: {type: list, elements: dict, options: {name: {type: str, required: true}}}
                      missing: {type: str, required: true}
                """, "items: []");

        var failure = catchThrowableOfType(
                Failure.class,
                () -> render(Map.of("count", "3", "mode", "odd", "nodes", List.of(Map.of("nam", "x")), "extra", 1)));

        assertThat(failure.diagnostics())
                .extracting(Diagnostic::code)
                .containsExactlyInAnyOrder(
                        Code.VARIABLE_TYPE,
                        Code.VARIABLE_CHOICE,
                        Code.VARIABLE_UNKNOWN,
                        Code.VARIABLE_MISSING,
                        Code.VARIABLE_UNKNOWN,
                        Code.VARIABLE_MISSING);
        assertThat(failure.diagnostics()).extracting(Diagnostic::why).anyMatch(why -> why.contains("nodes[0].nam "));
    }

    @Test
    void refusesKeysThatAnItemDoesNotHave() throws IOException {
        role("options: {}", "items:\n  - package: x\n  - file: /etc/x\n    content: y\n    mod: \"0600\"");

        var fault = fault(Map.of());

        assertThat(fault.code()).isEqualTo(Code.CONTRACT_INVALID);
        assertThat(fault.why()).contains("`mod`");
        assertThat(fault.where().line()).isEqualTo(3);
    }

    @Test
    void refusesAModeThatYamlReadAsANumber() throws IOException {
        role("options: {}", "items: [{file: /etc/x, content: y, mode: 0644}]");

        assertThat(fault(Map.of()).why()).contains("quotes");
    }

    @Test
    void anActionShowsWhenItsTasksChange() throws IOException {
        role("options: {}", """
                items: []
                actions:
                  - {id: a, does: does it, done: [test, -e, /x], run: a.yml, undo: it cannot be undone, blast: wipe}
                """);
        Files.writeString(root.resolve("ansible-roles/probed/tasks/a.yml"), "- name: One\n");
        var first = render(Map.of());
        Files.writeString(root.resolve("ansible-roles/probed/tasks/a.yml"), "- name: Two\n");
        var second = render(Map.of());

        assertThat(first.contract().actions().getFirst().whyNoUndo()).contains("it cannot be undone");
        assertThat(first.contract().actions().getFirst().blast()).isEqualTo(Action.Impact.WIPE);
        assertThat(second.fingerprint()).isNotEqualTo(first.fingerprint());
    }

    @Test
    void sameInputGivesTheSameFingerprintAndJsonComesBackEqual() {
        var home = DeepsiteHome.find();
        var scope = new SiteScope(List.of(HEAD));

        var one = new ContractRenderer(home, new TemplateRenderer(home)).render("motd", HEAD, scope, Map.of());
        var other = new ContractRenderer(home, new TemplateRenderer(home)).render("motd", HEAD, scope, Map.of());

        assertThat(one.fingerprint()).isEqualTo(other.fingerprint()).startsWith("sha256:");
        assertThat(ContractJson.read(ContractJson.write(one.contract()))).isEqualTo(one.contract());
        assertThat(ContractJson.contract(ContractJson.tree(one.contract()))).isEqualTo(one.contract());
    }

    @Test
    void aFactThatOnlyTheMachineTellsMayStandInValuesAndActions() throws IOException {
        role("options: {}", """
                items:
                  - ini: /etc/x.conf
                    section: s
                    option: o
                    value: "{{ fact('node', 'cpus') }}"
                  - mount: /srv
                    source: "{{ fact('node', 'address') }}:/srv"
                    fstype: nfs
                  - probe: p
                    run: [ping, "{{ fact('node', 'address') }}"]
                actions:
                  - id: join
                    does: joins
                    done: [test, "{{ fact('node', 'cpus') }}"]
                    run: join.yml
                    undo: there is none
                    blast: nothing
                    with: {to: ["{{ fact('node', 'address') }}"]}
                """);
        Files.writeString(root.resolve("ansible-roles/probed/tasks/join.yml"), "[]");

        var contract = render(Map.of()).contract();

        assertThat(contract.items())
                .allSatisfy(item -> assertThat(Unknowns.in(item)).hasSize(1));
        assertThat(Unknowns.in(contract.actions().getFirst()))
                .containsExactlyInAnyOrder(new Item.Unknown("node", "cpus"), new Item.Unknown("node", "address"));
        assertThat(Unknowns.filled(contract.actions().getFirst(), _ -> "x").args())
                .isEqualTo(Map.of("to", List.of("x")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{line: \"/etc/{{ fact('node', 'address') }}\", block: x}",
                "{link: /etc/x, to: \"{{ fact('node', 'address') }}\"}",
                "{service: \"{{ fact('node', 'address') }}.service\"}",
                "{user: ann, comment: \"{{ fact('node', 'address') }}\"}"
            })
    void aFactThatOnlyTheMachineTellsIsRefusedWhereItCannotBeFilledIn(String item) throws IOException {
        role("options: {}", "items: [" + item + "]");

        assertThat(fault(Map.of()).why()).startsWith("This holds a fact that is known only once the machine exists.");
    }

    @Test
    void aFactThatNoMachineTellsIsRefused() throws IOException {
        role("options: {}", "items: [{file: /etc/x, content: \"{{ fact('node', 'colour') }}\"}]");

        assertThat(fault(Map.of()).why()).startsWith("There is no fact colour of a machine; there is address, cpus");
    }

    @Test
    void twoRolesMayShareWhatTheyAskAlikeAndNotAFile() {
        var phase = Item.Phase.BEFORE;
        var packages = new Item.DebianPackage("cron", true, false, phase, Item.Notify.NONE);
        var held = new Item.DebianPackage("cron", true, true, phase, Item.Notify.NONE);
        var ini = new Item.Ini("/etc/x.conf", "a", "b", List.of("1"), false, phase, Item.Notify.NONE);
        var file = new Item.File(
                "/etc/x.conf",
                "root",
                "root",
                "0644",
                "d",
                List.of(),
                List.of(),
                Item.Owner.OURS,
                phase,
                Item.Notify.NONE);

        assertThat(ContractClash.find(List.of(contract("one", packages, ini), contract("two", packages))))
                .isEmpty();
        assertThat(ContractClash.find(List.of(contract("one", packages), contract("two", held))))
                .hasSize(1);
        assertThat(ContractClash.find(List.of(contract("one", ini), contract("two", ini))))
                .hasSize(1);
        assertThat(ContractClash.find(List.of(contract("one", file), contract("two", file))))
                .hasSize(1);
        assertThat(ContractClash.find(List.of(contract("one", file), contract("two", ini))))
                .hasSize(1);
    }

    private static Contract contract(String role, Item... items) {
        return new Contract(role, "head", List.of(items), List.of());
    }

    private void role(String options, String contract) throws IOException {
        var role = root.resolve("ansible-roles/probed");
        Files.createDirectories(role.resolve("meta"));
        Files.createDirectories(role.resolve("tasks"));
        Files.createDirectories(root.resolve("templates"));
        Files.writeString(role.resolve("meta/argument_specs.yml"), "argument_specs:\n  main:\n    " + options);
        Files.writeString(role.resolve("meta/contract.yml"), contract);
    }

    private ContractRenderer.Rendered render(Map<String, ?> variables) {
        var home = new DeepsiteHome(root);
        return new ContractRenderer(home, new TemplateRenderer(home))
                .render("probed", HEAD, new SiteScope(List.of(HEAD, NODE)), variables);
    }

    private Diagnostic fault(Map<String, ?> variables) {
        return catchThrowableOfType(Failure.class, () -> render(variables))
                .diagnostics()
                .getFirst();
    }

    private static Machine machine(String name, Optional<String> address) {
        return new Machine(
                name,
                new Name(name),
                Optional.empty(),
                "lxd",
                new Machine.Specs(2, 1024, true, List.of()),
                new Machine.Ssh(address, 22, "root", Optional.empty()));
    }
}
