package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.catalogue.OrderedYaml;
import io.deepsite.service.catalogue.OwnSiteSettings;
import io.deepsite.service.catalogue.OwnSites;
import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import io.deepsite.site.Size;
import java.nio.file.Path;
import java.util.List;
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
    void aSlurmClusterOfOnesOwnIsASiteWithTheKeysOfTheExample() {
        var settings = new OwnSiteSettings(
                "managers", "own-sites.yaml", List.of(ImageName.parse("debian/12")), Size.parse("20GiB"));
        var project = Name.parse("lab");
        var loader = BuiltIns.ALL.loader();
        var own = new OwnSites(Map.of(project, settings), Path.of("../service-example"), loader);
        own.check();

        var whole = own.complete(project, """
                apiVersion: deepsite/v1
                site: mine
                parameters:
                  nodes: {type: integer, default: 2}
                machines:
                  head: {image: debian/12, memory: 2GiB}
                  node: {image: debian/12, count: "${nodes}"}
                clusters:
                  hpc: {kind: slurm, controller: head, compute: [node]}
                """, Map.of("nodes", "3"));

        var site = loader.load("site.yaml", OrderedYaml.withUser(whole, "u-alice"), Map.of("nodes", "3"))
                .orFail();
        assertThat(site.machineNames(Name.parse("node"))).hasSize(3);
        assertThat(site.ssh().certificates()).isPresent();
    }

    /** Users of the file are those of the site: who hands it in gets no account of another name. */
    @Test
    void aFileOfOnesOwnMayHaveUsers() {
        var settings = new OwnSiteSettings(
                "users", "own-sites.yaml", List.of(ImageName.parse("debian/12")), Size.parse("20GiB"));
        var project = Name.parse("lab");
        var own = new OwnSites(Map.of(project, settings), Path.of("../service-example"), BuiltIns.ALL.loader());

        var whole = own.complete(project, """
                apiVersion: deepsite/v1
                site: mine
                machines: {node: {image: debian/12}}
                users: {eve: {uid: 3000}}
                """, Map.of());

        assertThat(OwnSites.takesAccount(whole)).isFalse();
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
