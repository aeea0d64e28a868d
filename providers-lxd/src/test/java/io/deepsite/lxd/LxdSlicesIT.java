package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.lxd.LxdMachines.MigSlice;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
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

/**
 * NVIDIA's runtime and slices of cards through LXD's own code and the hook of the distribution; the program that the hook
 * calls only records its arguments. So this does not prove that a slice exists, nor that a program computes on it.
 */
@ExtendWith(GpuDaemon.class)
final class LxdSlicesIT {
    private static final Path HOOK = Path.of(GpuDaemon.FOLDER + ".fake/hook.log");
    private static final PciAddress H100 = PciAddress.parse("0000:65:00.0");

    @BeforeEach
    void forget() throws IOException {
        cleanUp();
        Files.writeString(HOOK, "");
    }

    @AfterEach
    void cleanUp() {
        try (var provider = open(LxdMachines.NONE)) {
            for (var site : List.of("it-lxd-a", "it-lxd-b")) {
                provider.survey(new OneSite(new Name(site))).owned().forEach(seen -> provider.delete(seen, Call.QUIET));
            }
        }
    }

    @Test
    void eachMachineGetsItsSliceAndTheDriversParts() throws IOException {
        var group = Groups.of(asked -> {
            asked.runtime = true;
            asked.capabilities = List.of("compute", "video");
            asked.mig = List.of(slice(1), slice(2));
        });
        var design = make("it-lxd-a", group, 2);

        assertThat(Files.readAllLines(HOOK))
                .hasSize(2)
                .allSatisfy(asked -> assertThat(asked)
                        .contains("configure", "--compute", "--video")
                        .doesNotContain("--utility", "--graphics"));
        assertThat(Files.readString(HOOK)).contains("/1/0", "/2/0");
        try (var provider = open(group)) {
            assertThat(compile(provider, site("it-lxd-a", group, 2))).isEqualTo(design);
        }

        refused("DS2123", "it-lxd-a-m-1", Groups.of(asked -> {
            asked.runtime = true;
            asked.mig = List.of(slice(1));
        }));
        make(
                "it-lxd-b",
                Groups.of(asked -> {
                    asked.runtime = true;
                    asked.mig = List.of(slice(3));
                }),
                1);
    }

    @Test
    void sliceOfAMissingCardIsRefusedInThePlan() {
        refused("DS2122", "0000:99:00.0", Groups.of(asked -> {
            asked.runtime = true;
            asked.mig = List.of(
                    new MigSlice(PciAddress.parse("0000:99:00.0"), Optional.empty(), Optional.of(1), Optional.of(0)));
        }));
    }

    private void refused(String code, String word, LxdMachines group) {
        try (var provider = open(group)) {
            assertThatThrownBy(() -> compile(provider, site("it-lxd-b", group, 1)))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining(code)
                    .hasMessageContaining(word);
        }
    }

    private static Design make(String name, LxdMachines group, int machines) {
        try (var provider = open(group)) {
            var site = site(name, group, machines);
            var design = compile(provider, site);
            var tags = new Tags(site.name(), "l1", Optional.empty());
            design.resources().forEach(resource -> provider.create(resource, tags, Boot.NONE, Call.QUIET));
            return design;
        }
    }

    private static Design compile(Provider provider, Site site) {
        return provider.survey(new OneSite(site.name())).compile(site, Requirements.NONE);
    }

    private static Site site(String name, LxdMachines group, int machines) {
        return Sites.site(
                name,
                new SampleSettings(GpuDaemon.settings()).group("m", group).lxd(),
                Map.of("m", Sites.many("debian/12", machines, 1, "256MiB")));
    }

    private static Provider open(LxdMachines group) {
        return new LxdProviderFactory()
                .open(new SampleSettings(GpuDaemon.settings()).group("m", group).lxd(), Path.of(""));
    }

    private static MigSlice slice(int number) {
        return new MigSlice(H100, Optional.empty(), Optional.of(number), Optional.of(0));
    }
}
