package io.deepsite.statics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.DeclaredSize;
import io.deepsite.provider.Design;
import io.deepsite.provider.ExampleSite;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.remote.Executable;
import io.deepsite.site.MachineCount;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaticProviderTest {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILFXRb7Mbh652UHPrfQy/UUVW1E6uehuJTqeqik/v2MN";

    private static final String LISTING = """
            {"_meta": {"hostvars": {
               "head1": {"ansible_host": "192.0.2.10", "deepsite_host_key": "%1$s"},
               "node1": {"ansible_host": "192.0.2.11", "ansible_port": 2222, "ansible_user": "admin"},
               "node2": {"deepsite_host_key": "%1$s"}}},
             "all": {"children": ["ungrouped", "head", "node"]},
             "head": {"hosts": ["head1"]},
             "node": {"children": ["rack1", "rack2"]},
             "rack1": {"hosts": ["node1"]}, "rack2": {"hosts": ["node2", "node1"]}}
            """.formatted(KEY);

    /** Written by ssh-keygen -H for [192.0.2.11]:2222. */
    private static final String HASHED =
            "|1|JSYiv8Zi2DtFbL/rj5sg0CudnHI=|jz8oAJEhKLXtn5QQkk3U2pjeSf4= " + KEY + " a comment\n";

    private static final Requirements ASKED = Requirements.NONE.with(new MachineCount(
            new Name("head"), MachineCount.Rule.ONE, "the head", "It keeps the queue.", Code.CONTROLLER_COUNT));

    @TempDir
    private Path folder;

    @Test
    void takesTheHostsOfTheInventoryAsMachines() throws IOException {
        var design = compile(LISTING, HASHED, "");

        assertThat(design.resources()).isEmpty();
        assertThat(design.machines()).extracting(Machine::name).containsExactly("head1", "node1", "node2");
        assertThat(design.machines()).extracting(Machine::resource).containsOnly(Optional.empty());
        assertThat(design.machines().get(1)).satisfies(node -> {
            assertThat(node.group()).isEqualTo(new Name("node"));
            assertThat(node.address()).contains("192.0.2.11");
            assertThat(node.port()).isEqualTo(2222);
            assertThat(node.user()).isEqualTo("admin");
            assertThat(node.cpus()).isEqualTo(4);
            assertThat(node.memoryMebibytes()).isEqualTo(8192);
            assertThat(node.hostKey()).contains(KEY);
            assertThat(node.container()).isFalse();
        });
        assertThat(design.machines().get(2)).satisfies(node -> {
            assertThat(node.address()).contains("node2");
            assertThat(node.port()).isEqualTo(22);
            assertThat(node.user()).isEqualTo("root");
        });
    }

    @Test
    void namesTheDevicesOfTheCardsAHostMustHave() throws IOException {
        var design = compile(LISTING, HASHED, ", gpus: [{vendor: nvidia, model: Tesla-K20m, count: 2}]");

        assertThat(design.machines().get(1).gpus())
                .containsExactly(
                        new Machine.Gpu("nvidia", "tesla-k20m", "", "/dev/nvidia0"),
                        new Machine.Gpu("nvidia", "tesla-k20m", "", "/dev/nvidia1"));
        assertFaults(LISTING, HASHED, ", gpus: [{model: k20m}]", Code.GPU_VENDOR_NEEDED, Code.GPU_VENDOR_NEEDED);
    }

    @Test
    void readsTheSizesThatTheInventoryDeclares() throws IOException {
        var listing = """
                {"_meta": {"hostvars": {
                   "h1": {"deepsite_cpus": 64, "deepsite_memory": "250GiB", "deepsite_container": true},
                   "h2": {"deepsite_cpus": "8", "deepsite_memory": "900MiB"},
                   "h3": {"deepsite_cpus": 8}}},
                 "head": {"hosts": ["h1"]}, "node": {"hosts": ["h2", "h3"]}}
                """;

        assertThat(declared(listing))
                .containsOnly(
                        Map.entry("h1", new DeclaredSize(64, 250 * 1024, true)),
                        Map.entry("h2", new DeclaredSize(8, 900, false)));
        assertThatThrownBy(() -> declared(listing.replace("\"8\"", "\"many\"").replace("900MiB", "0GiB")))
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.diagnostics())
                                .extracting(Diagnostic::code)
                                .containsExactly(Code.HOST_VARIABLE, Code.HOST_VARIABLE));
    }

    private Map<String, DeclaredSize> declared(String listing) throws IOException {
        return provider(listing, "")
                .survey(new Tags.Scope.OneSite(new Name("demo")))
                .declaredSizes(site(""));
    }

    @Test
    void countsTheHostsOfTheSitesGroupsWithoutRunningAnInventory() throws IOException {
        var list = Files.writeString(folder.resolve("list.json"), LISTING);
        var file = Files.writeString(folder.resolve("hosts.yml"), "");
        var program = script("""
                case $1 in
                --version) echo 'ansible-inventory [core 2.16.1]' ;;
                *) [ "$ANSIBLE_INVENTORY_ENABLED" = ini,yaml ] && cat %s ;;
                esac""".formatted(list));
        var groups = List.of(new Name("head"), new Name("node"));

        assertThat(listed(program, file, groups)).hasValue(3);
        assertThat(listed(program, file, List.of(new Name("rack1"), new Name("node"))))
                .hasValue(2);
        assertThat(listed(program, folder.resolve("nosuch.yml"), groups)).isEmpty();
        assertThat(listed(script("exit 1"), file, groups)).isEmpty();
    }

    private static OptionalInt listed(Path program, Path file, List<Name> groups) {
        return StaticProviderFactory.listed(
                InventoryProgram.ofFiles(program.toString(), Duration.ofSeconds(30)), file, groups);
    }

    @Test
    void reportsEveryFaultOfTheInventoryAtOnce() {
        String listing = """
                {"_meta": {"hostvars": {
                   "head1.example.org": {"ansible_port": 99999},
                   "node1": {"ansible_host": "{{ address }}", "ansible_ssh_common_args": "-J gate"},
                   "node2": {"ansible_user": "x y", "deepsite_host_key": "nonsense", "ansible_connection": "local"}}},
                 "head": {"hosts": ["head1.example.org", "node2"]}, "node": {"hosts": ["node1", "node2"]}}
                """;

        assertFaults(
                listing,
                "",
                "",
                Code.HOST_NAME,
                Code.HOST_VARIABLE,
                Code.HOST_KEY_UNKNOWN,
                Code.HOST_VARIABLE,
                Code.HOST_VARIABLE,
                Code.HOST_VARIABLE,
                Code.HOST_VARIABLE,
                Code.HOST_VARIABLE,
                Code.HOST_KEY_UNKNOWN,
                Code.HOST_VARIABLE,
                Code.HOST_VARIABLE,
                Code.HOST_VARIABLE,
                Code.HOST_TWICE,
                Code.CONTROLLER_COUNT);
    }

    @Test
    void refusesAGroupWithoutHosts() {
        assertFaults(
                "{\"_meta\": {\"hostvars\": {}}, \"head\": {\"hosts\": []}}",
                "",
                "",
                Code.GROUP_WITHOUT_HOSTS,
                Code.GROUP_WITHOUT_HOSTS);
    }

    @Test
    void refusesAnEvenNumberOfMasters() {
        var listing = """
                {"_meta": {"hostvars": {"m1": {"deepsite_host_key": "%1$s"}, "m2": {"deepsite_host_key": "%1$s"}, "n1": {"deepsite_host_key": "%1$s"}}},
                 "head": {"hosts": ["m1", "m2"]}, "node": {"hosts": ["n1"]}}
                """.formatted(KEY);
        var site = site("");
        var asked = Requirements.NONE.with(new MachineCount(
                new Name("head"), MachineCount.Rule.ODD, "the masters", "They vote.", Code.EVEN_MASTERS));

        assertThatThrownBy(() -> provider(listing, "")
                        .survey(new Tags.Scope.OneSite(new Name("demo")))
                        .compile(site, asked))
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.diagnostics())
                                .extracting(Diagnostic::code)
                                .containsExactly(Code.EVEN_MASTERS));
    }

    @Test
    void doesNotTrustARevokedOrUnknownHost() {
        assertFaults(LISTING, "@revoked [192.0.2.11]:2222 " + KEY + "\n192.0.2.11 " + KEY, "", Code.HOST_KEY_UNKNOWN);
    }

    @Test
    void ownsNothingAndRefusesChanges() throws IOException {
        var provider = provider(LISTING, HASHED);
        var resource = new Resource(ResourceId.parse("instance/x"), "x", new TreeMap<>(), List.of());
        var tags = new Tags(new Name("demo"), "lineage", Optional.empty());

        assertThat(provider.survey(new Tags.Scope.AllSites()).owned()).isEmpty();
        assertThat(provider.capabilities().makesMachines()).isFalse();
        assertThatThrownBy(() -> provider.create(resource, tags, Boot.NONE, Call.QUIET))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(provider.survey(new Tags.Scope.AllSites()).describe())
                .containsExactly("static hosts, 3 in " + folder.resolve("hosts.yml"), "read by ansible-core 2.16");
    }

    @Test
    void reportsAMissingOldOrFailingAnsible() throws IOException {
        Files.createFile(folder.resolve("hosts.yml"));

        assertThat(fault(new InventoryProgram(folder + "/none", Duration.ofHours(1))))
                .isEqualTo(Code.ANSIBLE_MISSING);
        assertThat(fault(script("echo 'ansible-inventory 2.9.6'"))).isEqualTo(Code.ANSIBLE_TOO_OLD);
        assertThat(fault(script("echo 'ansible-inventory [core 2.19.0]'; [ \"$1\" = --version ]")))
                .isEqualTo(Code.INVENTORY_UNREADABLE);
        assertThat(fault(script("echo 'ansible-inventory [core 2.19.0]'"))).isEqualTo(Code.INVENTORY_UNREADABLE);
    }

    @Test
    void stopsAnInventoryThatHangs() throws IOException {
        Files.createFile(folder.resolve("hosts.yml"));
        var program = script("[ \"$1\" = --version ] && { echo '[core 2.16.1]'; exit; }; read forever < fifo");
        assertThat(new ProcessBuilder("mkfifo", folder + "/fifo")
                        .start()
                        .onExit()
                        .join()
                        .exitValue())
                .isZero();

        assertThat(fault(new InventoryProgram(program.toString(), Duration.ofMillis(600))))
                .isEqualTo(Code.INVENTORY_SLOW);
    }

    @Test
    void reportsAMissingInventory() {
        assertThat(fault(new InventoryProgram("unused", Duration.ofSeconds(1)))).isEqualTo(Code.INVENTORY_UNREADABLE);
    }

    private Code fault(Path script) {
        return fault(new InventoryProgram(script.toString(), Duration.ofHours(1)));
    }

    private Code fault(InventoryProgram program) {
        try {
            program.read(folder.resolve("hosts.yml"));
            throw new AssertionError("it was read");
        } catch (Failure failure) {
            return failure.diagnostics().getFirst().code();
        }
    }

    private Path script(String body) throws IOException {
        return Executable.write(Files.createTempFile(folder, "ansible", ""), "#!/bin/sh\n" + body + "\n");
    }

    private void assertFaults(String listing, String knownHosts, String more, Code... codes) {
        assertThatThrownBy(() -> compile(listing, knownHosts, more))
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.diagnostics())
                                .extracting(Diagnostic::code)
                                .containsExactly(codes));
    }

    private Design compile(String listing, String knownHosts, String more) throws IOException {
        return provider(listing, knownHosts)
                .survey(new Tags.Scope.OneSite(new Name("demo")))
                .compile(site(more), ASKED);
    }

    private Provider provider(String listing, String knownHosts) throws IOException {
        var list = Files.writeString(folder.resolve("list.json"), listing);
        var known = Files.writeString(folder.resolve("known_hosts"), knownHosts);
        Files.writeString(folder.resolve("hosts.yml"), "");
        var program =
                script("case $1 in --version) echo 'ansible-inventory [core 2.16.1]';; *) cat " + list + ";; esac");
        return new StaticProvider(
                folder.resolve("hosts.yml"),
                new InventoryProgram(program.toString(), Duration.ofHours(1)),
                List.of(known, folder.resolve("none")));
    }

    private static Site site(String more) {
        return ExampleSite.read("""
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          static: {inventory: hosts.yml}
                        machines:
                          head: {cpus: 2}
                          node: {cpus: 4, memory: 8GiB%s}
                        """.formatted(more), new StaticProviderFactory());
    }
}
