package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.catalogue.OrderedYaml;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceExampleTest {
    @Test
    void eachTemplateOfTheExampleIsASite() {
        var loader = BuiltIns.ALL.loader();
        var catalogue = new Catalogue(Path.of("../service-example/catalogue"), loader);

        assertThat(catalogue.templates()).isNotEmpty().allSatisfy(template -> {
            var yaml = OrderedYaml.named(template.yamlFor("u-alice"), "slurm-1");
            var site = loader.load("site.yaml", yaml, Map.of("nodes", "3")).orFail();
            assertThat(site.name().value()).isEqualTo("slurm-1");
            assertThat(template.picture())
                    .hasValueSatisfying(picture -> assertThat(picture).exists());
        });
    }

    @Test
    void anAccountIsNamedAfterItsPersonAndNeverAfterTheSystem() {
        assertThat(OrderedYaml.account("Zoë Ångström-Müller")).isEqualTo("u-zoe-angstrom-muller");
        assertThat(OrderedYaml.account("root")).isEqualTo("u-root");
        assertThat(OrderedYaml.account("7 of 9")).isEqualTo("u-of-9");
        assertThat(OrderedYaml.account("李")).isEqualTo("u-user");
        assertThat(OrderedYaml.account("a".repeat(100))).hasSize(32);
        assertThat(OrderedYaml.account("x: {uid: 0}\nroot")).isEqualTo("u-x-uid-0-root");
    }
}
