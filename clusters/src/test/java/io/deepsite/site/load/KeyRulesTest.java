package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OneOf;
import io.deepsite.site.OtherKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/** What keys exclude and require: the fault and its place, JSON Schema, {@code explain}. */
class KeyRulesTest {

    @OneOf(
            value = {"file", "address"},
            why = "Each says where it comes from.")
    public record Source(
            @Key(value = "A file.", example = "/srv/disk") Optional<String> file,

            @Key(value = "An address.", example = "https://files.example/disk")
            Optional<String> address,

            @Key(value = "Its checksum.", requires = @OtherKeys(value = "file", code = Code.NO_EFFECT))
            Optional<String> sum) {}

    public record Disk(
            @Key(
                    value = "What makes it.",
                    defaultValue = "loop",
                    choices = {"loop", "pool"},
                    requires = @OtherKeys(value = "device", when = "driver=pool", why = "A pool is made on a device."))
            String driver,

            @Key(value = "The device.", example = "/dev/sdb")
            Optional<String> device,

            @Key(
                    value = "Its size.",
                    defaultValue = "1GiB",
                    excludes =
                            @OtherKeys(value = "device", why = "It is as large as its device.", code = Code.NO_EFFECT))
            String size,

            @Key(value = "It is there already.", defaultValue = "false", excludes = @OtherKeys("size"))
            boolean given,

            @Key(
                    value = "What is put on it.",
                    requires =
                            @OtherKeys(
                                    value = "labels=data",
                                    when = "contents.file",
                                    fix = "Write labels: [data]. This shows them:",
                                    commands = "lsblk --output LABEL"))
            Optional<Source> contents,

            @Key("Its labels.") List<String> labels,

            @Key("Copies by name.") Map<Name, Source> copies,
            @Key("Spares.") List<Source> spares)
            implements Cluster {
        @Override
        public String kind() {
            return "disk";
        }

        @Override
        public Set<Name> groups() {
            return Set.of();
        }
    }

    private static final class DiskKind implements ClusterModel<Disk> {
        @Override
        public String name() {
            return "disk";
        }

        @Override
        public Class<Disk> model() {
            return Disk.class;
        }

        @Override
        public void check(CheckContext context, Name name, Disk cluster) {}
    }

    public record Misspelt(
            @Key(value = "A key.", requires = @OtherKeys("nosuch.key"))
            Optional<String> key) {}

    private static final SiteModel MODEL = new SiteModel(List.of(new DiskKind()), List.of());

    private static List<Diagnostic> faults(String text) {
        try {
            new DocumentLoader<>(Disk.class, "disk", "size: 1GiB", "Write one.")
                    .load("disk.yaml", text, (_, _, _) -> {});
            return List.of();
        } catch (Failure e) {
            return e.diagnostics();
        }
    }

    private static String fault(String text) {
        assertThat(faults(text)).hasSize(1);
        return DiagnosticPrinter.print(faults(text).getFirst());
    }

    private static List<?> schemaFaults(String text) {
        var schema = Map.of("allOf", SchemaRules.of(SiteModel.document(Disk.class)));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(new JsonMapper().writeValueAsString(schema))
                .validate(new JsonMapper().valueToTree(new Yaml().load(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "driver: loop",
                "driver: pool\ndevice: /dev/sdb",
                "size: 2GiB",
                "size: 2GiB\ngiven: false",
                "contents: {file: /srv/disk, sum: abc}\nlabels: [data]",
                "contents: {address: 'https://files.example/disk'}"
            })
    void acceptsKeysThatFit(String text) {
        assertThat(faults(text)).isEmpty();
        assertThat(schemaFaults(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "driver: pool",
                "size: 1GiB\ndevice: /dev/sdb",
                "size: 2GiB\ngiven: true",
                "contents: {file: /srv/disk}",
                "contents: {file: /srv/disk}\nlabels: []"
            })
    void refusesKeysThatDoNot(String text) {
        assertThat(faults(text)).hasSize(1);
        assertThat(schemaFaults(text)).isNotEmpty();
    }

    @Test
    void saysWhatTheValueOfAKeyRequires() {
        assertThat(fault("labels: [a]\ndriver: pool\n")).isEqualTo("""
                error DS1010: a key is missing
                  --> disk.yaml:2:1  driver
                    2 | driver: pool
                      | ^^^^^^
                  "driver: pool" requires "device". A pool is made on a device.
                  Add "device: /dev/sdb", or change "driver".
                """);
    }

    @Test
    void saysWhatHasNoEffect() {
        assertThat(fault("device: /dev/sdb\nsize: 1GiB\n")).isEqualTo("""
                error DS1212: a key has no effect here
                  --> disk.yaml:2:1  size
                    2 | size: 1GiB
                      | ^^^^
                  "size" has no effect with "device". It is as large as its device.
                  Remove "size" or "device".
                """);
    }

    @Test
    void pointsAtTheKeyBelowThatARuleIsAbout() {
        assertThat(fault("contents:\n  file: /srv/disk\n")).isEqualTo("""
                error DS1010: a key is missing
                  --> disk.yaml:2:3  contents.file
                    2 |   file: /srv/disk
                      |   ^^^^
                  "contents.file" requires "labels: data".
                  Write labels: [data]. This shows them:

                      lsblk --output LABEL
                """);
    }

    @Test
    void checksTheEntriesOfListsAndMapsAtTheirPlaces() {
        var faults = faults("""
                copies:
                  one: {file: /srv/disk}
                  two: {sum: abc, address: https://files.example/disk}
                spares:
                  - 5
                  - {file: /srv/disk, address: https://files.example/disk}
                  - {}
                """);

        assertThat(faults)
                .extracting(Diagnostic::code)
                .containsExactly(Code.NO_EFFECT, Code.WRONG_TYPE, Code.NOT_TOGETHER, Code.MISSING_KEY);
        assertThat(faults)
                .extracting(fault -> fault.where().path())
                .containsExactly("copies.two.sum", "spares[0]", "spares[1].address", "spares[2]");
        assertThat(faults.get(2).fix()).isEqualTo("Keep one of \"address\" and \"file\".");
        assertThat(faults.get(3).fix())
                .isEqualTo("Add \"file: /srv/disk\" or \"address: https://files.example/disk\".");
    }

    @Test
    void aKeyThatBreaksTwoRulesGivesTwoFaults() {
        assertThat(faults("size: 1GiB\ndevice: /dev/sdb\ngiven: true\n"))
                .extracting(Diagnostic::code)
                .containsExactly(Code.NO_EFFECT, Code.NOT_TOGETHER);
    }

    @Test
    void aKeyThatCannotBeReadGivesNoSecondFault() {
        assertThat(faults("driver: pool\ndevice: []\n"))
                .extracting(Diagnostic::code)
                .containsExactly(Code.WRONG_TYPE);
        assertThat(faults("driver: pool\ndevise: /dev/sdb\n"))
                .extracting(Diagnostic::code)
                .containsExactly(Code.UNKNOWN_KEY);
    }

    @Test
    void theSchemaLeavesOpenWhatAParameterDecides() {
        assertThat(schemaFaults("size: 2GiB\ngiven: ${given}")).isEmpty();
    }

    @Test
    void explainShowsARuleOnBothSides() {
        assertThat(Explain.of(MODEL, "clusters.disk.size").excludes()).containsExactly("device", "given");
        assertThat(Explain.of(MODEL, "clusters.disk.device").excludes()).containsExactly("size");
        assertThat(Explain.of(MODEL, "clusters.disk.driver").requires()).containsExactly("device if driver is pool");
        assertThat(Explain.of(MODEL, "clusters.disk.contents").requires())
                .containsExactly("labels: data if contents.file is set", "one of file and address");
        assertThat(Explain.of(MODEL, "clusters.disk.spares").requires())
                .containsExactly("in each entry one of file and address");
        assertThat(Explain.of(MODEL, "clusters.disk.size").text()).contains("\n  excludes  device, given\n");
    }

    @Test
    void aRuleThatNamesNoKeyIsABug() {
        assertThatThrownBy(() -> SiteModel.document(Misspelt.class)).hasMessageContaining("nosuch.key");
    }
}
