package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.deepsite.TestSites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/** The editors' schema agrees with the loader wherever a schema can express the rule. */
class JsonSchemaTest {
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(JsonSchema.text(TestSites.ALL.model()));

    /** Keys that a provider's setting, the number of machines or the whole of the sources makes necessary. */
    private static final Set<String> NEEDED_BY_ANOTHER = Set.of(
            "DS1010-library-in-a-container",
            "DS1010-secure-boot",
            "DS1010-slice-without-runtime",
            "DS1010-vlan-segment",
            "DS1010-type-of-mdev",
            "DS1010-which-slice");

    /** What a key excludes, or requires to have an effect. */
    private static final Set<String> KEYS_TOGETHER = Set.of(
            "DS1212-checksum-of-no-file",
            "DS1212-key-of-nothing",
            "DS1212-mirror-without-machines",
            "DS1212-networks-of-a-given-cloud",
            "DS1212-nova-without-devices",
            "DS1212-policies-without-abac",
            "DS1230-no-policies",
            "DS1231-mps-and-mig",
            "DS1231-mps-and-time-slicing",
            "DS1234-a-snap-and-a-package",
            "DS1234-address-and-kind",
            "DS1234-endpoint",
            "DS1234-install",
            "DS1234-mesos-twice",
            "DS1234-migrate-to-what",
            "DS1234-model-and-kind",
            "DS1234-packages-and-given",
            "DS1234-short-address-and-vendor",
            "DS1234-size-of-a-disk",
            "DS1235-both",
            "DS1235-mesos-everybody",
            "DS1235-nobody",
            "DS1270-installing-openstack");

    private static List<Error> faults(Path site) throws IOException {
        Object tree = new Yaml().load(Files.readString(site));
        return SCHEMA.validate(new JsonMapper().valueToTree(tree));
    }

    static List<Path> examples() throws IOException {
        return ExamplesTest.examples();
    }

    /** Faults of one key and of keys together; not those of parameters, nor {@code yes}, which SnakeYAML's own loading makes true. */
    static List<Path> faultsThatItKnows() throws IOException {
        return GoldenErrorsTest.cases().stream()
                .filter(f -> KEYS_TOGETHER.contains(f.getFileName().toString())
                        || f.getFileName().toString().matches("DS(1009|1010|1014|1015|110[124-9]|111[0128]).*"))
                .filter(f -> !f.getFileName().toString().contains("parameter"))
                .filter(f -> !NEEDED_BY_ANOTHER.contains(f.getFileName().toString()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void acceptsTheExamples(Path folder) throws IOException {
        assertThat(faults(folder.resolve("site.yaml"))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("faultsThatItKnows")
    void refusesWhatTheLoaderRefuses(Path folder) throws IOException {
        assertThat(faults(folder.resolve("site.yaml"))).isNotEmpty();
    }
}
