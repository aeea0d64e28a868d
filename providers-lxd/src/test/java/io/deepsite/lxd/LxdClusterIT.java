package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Machines on the member that a group names, in a real cluster of two (testbed/lxd/cluster). */
@ExtendWith(ClusterDaemons.class)
final class LxdClusterIT {
    private final RealLxd lxd = new RealLxd(ClusterDaemons.settings());

    @BeforeEach
    @AfterEach
    void cleanUp() {
        try (var provider = open(ClusterDaemons.settings())) {
            provider.survey(new OneSite(new Name("it-lxd"))).owned().forEach(seen -> provider.delete(seen, Call.QUIET));
        }
    }

    @Test
    void machineIsMadeOnTheTargetMember() {
        for (var member : new String[] {"c2", "c1"}) {
            var settings = target(member);
            try (var provider = open(settings)) {
                var site = site(settings);
                var design = compile(provider, site);
                var tags = new Tags(site.name(), "l1", Optional.empty());
                design.resources().forEach(resource -> provider.create(resource, tags, Boot.NONE, Call.QUIET));

                assertThat(lxd.rest()
                                .get(lxd.rest().path("instances", "it-lxd-m"), JsonNode.class)
                                .path("location")
                                .asString())
                        .isEqualTo(member);
                assertThat(compile(provider, site)).isEqualTo(design);
                assertThat(provider.survey(new OneSite(site.name()))
                                .owned()
                                .getFirst()
                                .attributes())
                        .isEqualTo(design.resources().getFirst().values());
            }
            cleanUp();
        }
    }

    @Test
    void groupOfMembersIsATargetToo() {
        var settings = target("@default");
        try (var provider = open(settings)) {
            assertThat(compile(provider, site(settings)).resources().getFirst().values())
                    .containsEntry("target", "@default");
        }
    }

    @Test
    void missingMemberAndUnsupportedResourcesOfAClusterAreRefused() {
        refused("DS2120", target("c3"));
        var pool = new LxdPool("fresh", "btrfs", Size.parse("1GiB"), Optional.empty(), Optional.empty());
        refused(
                "DS2106",
                SampleSettings.at(
                                ClusterDaemons.settings().endpoint(),
                                pool,
                                ClusterDaemons.settings().network())
                        .lxd());
        refused(
                "DS2108",
                SampleSettings.at(
                                ClusterDaemons.settings().endpoint(),
                                ClusterDaemons.settings().pool(),
                                "freshbr0")
                        .lxd());
    }

    private static void refused(String code, LxdSettings settings) {
        try (var provider = open(settings)) {
            assertThatThrownBy(() -> compile(provider, site(settings)))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining(code);
        }
    }

    private static LxdSettings target(String target) {
        return new SampleSettings(ClusterDaemons.settings())
                .group("m", Groups.of(asked -> asked.target = Optional.of(target)))
                .lxd();
    }

    private static Design compile(Provider provider, Site site) {
        return provider.survey(new OneSite(site.name())).compile(site, Requirements.NONE);
    }

    private static Site site(LxdSettings settings) {
        return Sites.site("it-lxd", settings, Map.of("m", Sites.single("debian/12", 1, "256MiB")));
    }

    private static Provider open(LxdSettings settings) {
        return new LxdProviderFactory().open(settings, Path.of(""));
    }
}
