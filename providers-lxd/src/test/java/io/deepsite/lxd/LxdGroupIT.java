package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.lxd.LxdMachines.CharacterDevice;
import io.deepsite.lxd.LxdMachines.HostFolder;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** LXD's own keys of a group, with a real LXD: profiles, a device and a folder of the host; no virtual machines. */
@ExtendWith(GpuDaemon.class)
final class LxdGroupIT {
    private static final String PROFILE = "it-lxd-profile";
    private static final Path DATA = Path.of("/srv/it-lxd-data");

    private final RealLxd lxd = new RealLxd(GpuDaemon.settings());

    @BeforeEach
    void prepare() throws IOException {
        cleanUp();
        lxd.rest()
                .send(
                        "POST",
                        lxd.rest().path("profiles"),
                        Map.of("name", PROFILE, "config", Map.of("limits.processes", "4321"), "devices", Map.of()));
        Files.createDirectories(DATA);
        Files.writeString(DATA.resolve("shared"), "of the host");
    }

    @AfterEach
    void cleanUp() throws IOException {
        try (var provider = open(GpuDaemon.settings())) {
            provider.survey(new OneSite(new Name("it-lxd"))).owned().forEach(seen -> provider.delete(seen, Call.QUIET));
        }
        if (lxd.rest().find(lxd.rest().path("profiles", PROFILE), Object.class).isPresent()) {
            lxd.rest().delete(lxd.rest().path("profiles", PROFILE));
        }
        Files.deleteIfExists(DATA.resolve("shared"));
        Files.deleteIfExists(DATA.resolve("link"));
        Files.deleteIfExists(DATA);
    }

    @Test
    void machineHasProfileDeviceAndFolderAndLosesThemAgain() throws IOException {
        var group = Groups.of(asked -> {
            asked.profiles = List.of(PROFILE);
            asked.devices =
                    Map.of(new Name("zero"), new CharacterDevice("/dev/zero", Optional.of("/dev/it-lxd-zero"), "0666"));
            asked.folders = Map.of(new Name("data"), new HostFolder(DATA.toString(), "/data", false, false));
        });
        var settings = settings(group);
        try (var provider = open(settings)) {
            var site = site(settings);
            var design = compile(provider, site);
            design.resources().forEach(resource -> provider.create(resource, tags(site), Boot.NONE, Call.QUIET));

            assertThat(owned(provider, site))
                    .isEqualTo(design.resources().getFirst().values());
            var whole = lxd.rest().get(lxd.rest().path("instances", "it-lxd-m"), JsonNode.class);
            assertThat(whole.path("expanded_config").path("limits.processes").asString())
                    .isEqualTo("4321");
            assertThat(root().resolve("dev/it-lxd-zero")).exists();
            assertThat(root().resolve("data/shared")).hasContent("of the host");
            assertThat(compile(provider, site)).isEqualTo(design);
        }

        var plain = site(GpuDaemon.settings());
        try (var provider = open(GpuDaemon.settings())) {
            var without = compile(provider, plain).resources().getFirst();
            var seen = provider.survey(new OneSite(plain.name())).owned().getFirst();
            provider.update(seen, without, Call.QUIET);

            assertThat(owned(provider, plain)).isEqualTo(without.values());
            assertThat(root().resolve("data/shared")).doesNotExist();
            assertThat(root().resolve("dev/it-lxd-zero")).doesNotExist();
        }
    }

    @Test
    void linkToSecretsAndMissingPathAreRefusedInThePlan() throws IOException {
        Files.createSymbolicLink(DATA.resolve("link"), Path.of("/etc"));
        refused(
                "DS1260",
                Groups.of(asked -> asked.folders = Map.of(
                        new Name("data"), new HostFolder(DATA.resolve("link").toString(), "/data", false, false))));
        refused(
                "DS2122",
                Groups.of(asked -> asked.folders =
                        Map.of(new Name("data"), new HostFolder("/srv/it-lxd-nothing", "/data", false, false))));
        refused(
                "DS2122",
                Groups.of(asked -> asked.devices =
                        Map.of(new Name("none"), new CharacterDevice("/dev/it-lxd-none", Optional.empty(), "0660"))));
        refused("DS2119", Groups.of(asked -> asked.profiles = List.of("it-lxd-nothing")));
    }

    @Test
    void folderOfTheSiteStaysHere() throws IOException {
        var group = Groups.of(asked ->
                asked.folders = Map.of(new Name("data"), new HostFolder(DATA.toString(), "/data", false, false)));
        try (var provider = new LxdProviderFactory().open(settings(group), DATA)) {
            assertThatThrownBy(() -> compile(provider, site(settings(group))))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("DS1260")
                    .hasMessageContaining("with its secrets and keys");
        }
    }

    /** The reason comes from LXD; a host that runs virtual machines gets further. */
    @Test
    void virtualMachinesAreRefusedWithLxdsReason() {
        var driver = lxd.rest()
                .get(lxd.rest().path(), JsonNode.class)
                .path("environment")
                .path("driver")
                .asString();
        if (driver.contains("qemu")) {
            refused("DS2110", Groups.of(asked -> asked.virtual = true));
        } else {
            refused("DS2121", Groups.of(asked -> asked.virtual = true));
        }
    }

    @Test
    void thereIsNoClusterToChooseFrom() {
        refused("DS2120", Groups.of(asked -> asked.target = Optional.of("node1")));
    }

    private void refused(String code, LxdMachines group) {
        try (var provider = open(settings(group))) {
            assertThatThrownBy(() -> compile(provider, site(settings(group))))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining(code);
        }
    }

    private Path root() {
        var state = lxd.rest().get(lxd.rest().path("instances", "it-lxd-m", "state"), JsonNode.class);
        return Path.of("/proc", state.path("pid").asString(), "root");
    }

    private static Map<String, String> owned(Provider provider, Site site) {
        return provider.survey(new OneSite(site.name())).owned().getFirst().attributes();
    }

    private static Design compile(Provider provider, Site site) {
        return provider.survey(new OneSite(site.name())).compile(site, Requirements.NONE);
    }

    private static Tags tags(Site site) {
        return new Tags(site.name(), "l1", Optional.empty());
    }

    private static Site site(LxdSettings settings) {
        return Sites.site("it-lxd", settings, Map.of("m", Sites.single("debian/12", 1, "256MiB")));
    }

    private static LxdSettings settings(LxdMachines group) {
        return new SampleSettings(GpuDaemon.settings()).group("m", group).lxd();
    }

    private static Provider open(LxdSettings settings) {
        return new LxdProviderFactory().open(settings, Path.of(""));
    }
}
