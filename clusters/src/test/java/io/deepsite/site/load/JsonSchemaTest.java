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

    /** Keys that are required only by the value of another key, which this schema does not express. */
    private static final Set<String> NEEDED_BY_ANOTHER = Set.of(
            "DS1010-archive-without-checksum",
            "DS1010-balancers-of-nothing",
            "DS1010-device-without-vendor",
            "DS1010-devstack-without-a-commit",
            "DS1010-every-device",
            "DS1010-library-in-a-container",
            "DS1010-mesos-from-nowhere",
            "DS1010-package-of-no-repository",
            "DS1010-openstack-without-an-address",
            "DS1010-openstack-without-networks",
            "DS1010-secure-boot",
            "DS1010-slice-without-runtime",
            "DS1010-vlan-segment",
            "DS1010-type-of-mdev",
            "DS1010-vlan-without-card",
            "DS1010-which-device",
            "DS1010-which-slice");

    private static List<Error> faults(Path site) throws IOException {
        Object tree = new Yaml().load(Files.readString(site));
        return SCHEMA.validate(new JsonMapper().valueToTree(tree));
    }

    static List<Path> examples() throws IOException {
        return ExamplesTest.examples();
    }

    /** Faults of one key; not those of parameters, nor {@code yes}, which SnakeYAML itself reads as true. */
    static List<Path> faultsOfOneKey() throws IOException {
        return GoldenErrorsTest.cases().stream()
                .filter(f -> f.getFileName().toString().matches("DS(1009|1010|1014|1015|110[124-9]|111[0128]).*"))
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
    @MethodSource("faultsOfOneKey")
    void refusesWhatTheLoaderRefuses(Path folder) throws IOException {
        assertThat(faults(folder.resolve("site.yaml"))).isNotEmpty();
    }
}
