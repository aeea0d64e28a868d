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
import io.deepsite.provider.Tags.Scope.AllSites;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A site in a project of a real LXD, beside one of the same name in the default project. */
@ExtendWith(GpuDaemon.class)
final class LxdProjectIT {
    private static final String PROJECT = "it-lxd-project";
    private static final String SITE = "it-lxd";
    private static final String BRIDGE = "itlxdpr0";

    private final RealLxd lxd = new RealLxd(GpuDaemon.settings());
    private final Provider inside = open(settings(PROJECT));
    private final Provider outside = open(GpuDaemon.settings());

    @BeforeEach
    void makeProject() {
        cleanUp();
        lxd.rest()
                .send(
                        "POST",
                        lxd.rest().path("projects"),
                        Map.of(
                                "name",
                                PROJECT,
                                "config",
                                Map.of("features.images", "false", "features.profiles", "true")));
    }

    @AfterEach
    void cleanUp() {
        if (lxd.rest().find(lxd.rest().path("projects", PROJECT), Object.class).isPresent()) {
            deleteAll(inside);
            lxd.rest().delete(lxd.rest().path("projects", PROJECT));
        }
        deleteAll(outside);
    }

    @Test
    void resourcesAreSeenAndDeletedOnlyInTheirProject() {
        var within = make(inside, settings(PROJECT));
        var without = make(outside, GpuDaemon.settings());

        assertThat(ids(inside)).isEqualTo(List.of("instance/m", "network/" + BRIDGE));
        assertThat(ids(outside)).isEqualTo(List.of("instance/m"));
        assertThat(compile(inside, within.site())).isEqualTo(within.design());
        assertThat(compile(outside, without.site())).isEqualTo(without.design());

        deleteAll(outside);
        assertThat(ids(outside)).isEmpty();
        assertThat(ids(inside)).isEqualTo(List.of("instance/m", "network/" + BRIDGE));
        deleteAll(inside);
        assertThat(ids(inside)).isEmpty();
    }

    /** LXD would report it only when the second one starts. */
    @Test
    void nameOfAnotherProjectOnTheSameBridgeIsRefused() {
        make(outside, GpuDaemon.settings());
        var shared = new SampleSettings(GpuDaemon.settings()).project(PROJECT).lxd();
        try (var provider = open(shared)) {
            assertThatThrownBy(() -> compile(provider, site(shared)))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("DS2003")
                    .hasMessageContaining("on the network " + shared.network());
        }
    }

    @Test
    void missingProjectIsNamed() {
        try (var provider = open(settings("it-lxd-nowhere"))) {
            assertThatThrownBy(() -> provider.survey(new AllSites()))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("DS2118")
                    .hasMessageContaining("it-lxd-nowhere");
        }
    }

    private record Made(Site site, Design design) {}

    private static Site site(LxdSettings settings) {
        return Sites.site(SITE, settings, Map.of("m", Sites.single("debian/12", 1, "256MiB")));
    }

    private static Design compile(Provider provider, Site site) {
        return provider.survey(new OneSite(site.name())).compile(site, Requirements.NONE);
    }

    private static Made make(Provider provider, LxdSettings settings) {
        var site = site(settings);
        var design = compile(provider, site);
        var tags = new Tags(site.name(), "l1", Optional.empty());
        design.resources().forEach(resource -> provider.create(resource, tags, Boot.NONE, Call.QUIET));
        return new Made(site, design);
    }

    private static List<String> ids(Provider provider) {
        return provider.survey(new AllSites()).owned().stream()
                .filter(seen -> seen.tags().site().value().equals(SITE))
                .map(seen -> seen.id().toString())
                .toList();
    }

    /** Machines first. */
    private static void deleteAll(Provider provider) {
        var owned = provider.survey(new AllSites()).owned();
        owned.stream()
                .filter(seen -> seen.id().kind().equals("instance"))
                .forEach(seen -> provider.delete(seen, Call.QUIET));
        owned.stream()
                .filter(seen -> !seen.id().kind().equals("instance"))
                .forEach(seen -> provider.delete(seen, Call.QUIET));
    }

    private static Provider open(LxdSettings settings) {
        return new LxdProviderFactory().open(settings, Path.of(""));
    }

    private static LxdSettings settings(String project) {
        return SampleSettings.at(
                        GpuDaemon.settings().endpoint(), GpuDaemon.settings().pool(), BRIDGE)
                .project(project)
                .lxd();
    }
}
