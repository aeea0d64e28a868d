package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.TestSites;
import io.deepsite.apply.Cancel;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.FileStores;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import io.deepsite.verify.CheckResult.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures; the lane nova-lxd creates, reaches and destroys machines on a real LXD. */
class FirstRunTest {
    @TempDir
    private Path folder;

    @Test
    void aFileWithFaultsIsRefused() throws Exception {
        site("provider: {static: {inventory: hosts.yml}}\nmachnies: {}\n");

        assertThatThrownBy(() -> FirstRun.refuseFaults(cloud("first.yaml"), folder.resolve("site.yaml"), runtime()))
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

        assertThat(result.outcome()).isEqualTo(Verdict.FAILED);
        assertThat(result.cluster()).isEqualTo("cloud");
        assertThat(result.message()).contains("deepsite status " + folder.resolve("first.yaml"));
    }

    @Test
    void aFileElsewhereIsNotReadNorShown() throws Exception {
        var secret = Files.writeString(folder.resolve("secret.yaml"), "password: hunter2\n");
        var inner = Files.createDirectory(folder.resolve("inner"));
        Files.createSymbolicLink(inner.resolve("link.yaml"), secret);

        for (var named : List.of("../secret.yaml", secret.toString(), "link.yaml", "../nothing.yaml")) {
            var faults = FirstRun.faults(cloud(named), inner.resolve("site.yaml"), runtime());

            assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.NOT_ACCEPTED);
            assertThat(faults.toString()).doesNotContain("hunter2", "password");
        }
    }

    @Test
    void aFirstRunNeverDestroysASiteThatAPersonApplied() throws Exception {
        site("provider: {static: {inventory: hosts.yml}}\nmachines: {guest: {}}\n");
        var store = new FileStateStore(StateFolder.of(folder.resolve("first.yaml"), "first"));
        var standing = SiteState.fresh("first", "test")
                .withResource(
                        "machine:guest", new RecordedResource("machine", "first-guest", new TreeMap<>(), List.of()));
        store.write(standing);

        FaultMessage.assertReads(
                "plan/DS4020-site-of-somebody",
                () -> FirstRun.refuseFaults(cloud("first.yaml"), folder.resolve("site.yaml"), runtime()),
                text -> text.replace(folder.toString(), "/lab"));
        var result = firstRun().run(new Cancel());
        assertThat(result.outcome()).isEqualTo(Verdict.FAILED);
        assertThat(result.message()).contains("applied on its own").doesNotContain("is kept: deepsite status");
        assertThat(store.read().orElseThrow().resources()).isNotEmpty();
    }

    @Test
    void whatAFirstRunLeftIsTheFirstRuns() throws Exception {
        site("provider: {static: {inventory: hosts.yml}}\nmachines: {guest: {}}\n");
        new FileStateStore(StateFolder.of(folder.resolve("first.yaml"), "first"))
                .write(SiteState.fresh("first", "test")
                        .withResource(
                                "machine:guest",
                                new RecordedResource("machine", "first-guest", new TreeMap<>(), List.of()))
                        .withFirstRunOf("/lab/site.yaml"));

        assertThat(FirstRun.faults(cloud("first.yaml"), folder.resolve("site.yaml"), runtime()))
                .isEmpty();
    }

    private static Site cloud(String firstRun) {
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: cloud
                        provider: {static: {inventory: hosts.yml}}
                        machines: {host: {}}
                        clusters:
                          cloud: {kind: openstack, method: packages, given: true, release: stein, compute: [host], firstRun: %s}
                        """.formatted(firstRun), Map.of()).orFail();
    }

    private void site(String keys) throws Exception {
        Files.writeString(folder.resolve("first.yaml"), "apiVersion: deepsite/v1\nsite: first\n" + keys);
    }

    private FirstRun firstRun() {
        return new FirstRun(new Name("cloud"), folder.resolve("first.yaml"), folder.resolve("site.yaml"), runtime());
    }

    private RuntimeContext runtime() {
        return new RuntimeContext(
                DeepsiteHome.find(),
                "test",
                Map.of(),
                folder,
                folder.resolve("root"),
                InstantSource.system(),
                SshTimes.USUAL,
                TestSites.ALL,
                FileStores::new,
                _ -> {});
    }
}
