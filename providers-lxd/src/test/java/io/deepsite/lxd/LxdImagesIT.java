package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore.StoredImage;
import io.deepsite.site.ImageName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images through a real LXD, with a recipe that makes a tiny one. */
final class LxdImagesIT {
    private static final ImageName IMAGE = new ImageName("ct-tiny/1");

    @TempDir
    private Path home;

    private final RealLxd lxd = new RealLxd(RealLxd.settings("nova", "lxdbr0"));

    @Test
    void buildsStoresNamesAndDeletes() throws IOException {
        recipe("""
                #!/bin/sh
                set -eu
                [ "$1 $2" = "build 1" ]
                mkdir -p "$3/root/etc"
                date +%N >"$3/root/etc/made"
                printf 'architecture: x86_64\\ncreation_date: 1\\nproperties: {description: tiny}\\n' >"$3/metadata.yaml"
                tar -C "$3" -cJf "$3/metadata.tar.xz" metadata.yaml
                mksquashfs "$3/root" "$3/rootfs.squashfs" -quiet -no-progress >&2
                """);
        var images = images();

        images.build(IMAGE, Call.QUIET);
        var first = named();
        images.build(IMAGE, Call.QUIET);
        var second = named();

        assertThat(first.description()).isEqualTo("tiny");
        assertThat(second.fingerprint()).isNotEqualTo(first.fingerprint());
        images.delete(IMAGE, Call.QUIET);
        assertThatThrownBy(() -> images.delete(IMAGE, Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2110");
        lxd.rest().delete(lxd.rest().path("images", first.fingerprint()));
    }

    private LxdImages images() {
        var faults = new Faults(new DaemonAddress(Daemon.LXD, "unix"));
        var operations = new Operations(lxd.rest(), faults, new Events(lxd.rest()));
        return new LxdImages(
                lxd.rest(),
                operations,
                faults,
                new Recipes(home),
                Map.of(),
                home,
                new MachineCalls(new Instances(lxd.rest(), operations, Daemon.LXD), faults, "default"));
    }

    private StoredImage named() {
        return images().images().stream()
                .filter(image -> image.names().contains(IMAGE.value()))
                .findFirst()
                .orElseThrow();
    }

    private void recipe(String text) throws IOException {
        Files.writeString(home.resolve("ct-tiny"), text);
        Files.setPosixFilePermissions(home.resolve("ct-tiny"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
