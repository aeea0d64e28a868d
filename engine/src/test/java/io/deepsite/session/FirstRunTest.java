package io.deepsite.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.apply.Cancel;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.verify.CheckResult.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong; that machines come, answer and go is seen on a real LXD, in the lane nova-lxd. */
class FirstRunTest {
    @TempDir
    private Path folder;

    @Test
    void aFileWithFaultsIsRefused() throws Exception {
        site("provider: {static: {inventory: hosts.yml}}\nmachnies: {}\n");
        var cloud = SiteLoader.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: cloud
                        provider: {static: {inventory: hosts.yml}}
                        machines: {host: {}}
                        clusters:
                          cloud: {kind: openstack, method: packages, given: true, release: stein, compute: [host], firstRun: first.yaml}
                        """, Map.of()).orFail();

        assertThatThrownBy(() -> FirstRun.refuseFaults(cloud, folder.resolve("site.yaml")))
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics())
                                .extracting(each -> each.code())
                                .contains(Code.UNKNOWN_KEY));
    }

    @Test
    void aMachineThatDoesNotComeIsAFailedCheckThatNamesTheFile() throws Exception {
        site("provider: {static: {inventory: hosts.yml}}\nmachines: {guest: {}}\n");

        var result = firstRun().run(new Cancel());

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.cluster()).isEqualTo("cloud");
        assertThat(result.message()).contains("deepsite status " + folder.resolve("first.yaml"));
    }

    private void site(String keys) throws Exception {
        Files.writeString(folder.resolve("first.yaml"), "apiVersion: deepsite/v1\nsite: first\n" + keys);
    }

    private FirstRun firstRun() {
        return new FirstRun(
                new Name("cloud"),
                folder.resolve("first.yaml"),
                new Surroundings(DeepsiteHome.find(), "test", Map.of(), folder, InstantSource.system(), _ -> {}));
    }
}
