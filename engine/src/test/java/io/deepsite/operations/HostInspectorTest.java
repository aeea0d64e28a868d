package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.apply.Access;
import io.deepsite.contract.Contents;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Desired;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.remote.LocalRemote;
import io.deepsite.remote.LoginKey;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.site.SshAccess;
import io.deepsite.state.FileVault;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedSize;
import io.deepsite.state.SecretStore;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import io.deepsite.state.VaultKeyFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hosts of an inventory: one answers, one does not. */
class HostInspectorTest {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPzwVTWHsrs6t5VVr2oFzTGLqKwNqmBSsWZ9Ko3xcZEQ";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final LocalRemote remote = new LocalRemote().without("dead", Code.HOST_SILENT);
    private final Design design = new Design(List.of(), List.of(host("alive"), host("dead")));
    private SiteState state = SiteState.fresh("lab", "1.0");
    private boolean passes;

    @SuppressWarnings("NullAway.Init") // before each test
    private HostInspector inspector;

    @BeforeEach
    void open() {
        var states = new StateFolder(folder.resolve("state")).make();
        var secrets = new SecretStore(new FileVault(states), VaultKeyFile.locate(Map.of(), folder), _ -> {});
        var ssh = new SshAccess(
                "root", 22, Optional.empty(), Optional.empty(), Span.parse("5m"), Span.parse("20m"), Optional.empty());
        inspector = new HostInspector(
                new Access(secrets, new LoginKey(states, "lab", Optional.empty()), ssh, folder, folder),
                remote,
                _ -> passes);
    }

    @Test
    void aHostThatNeverToldWhatItIsIsMissed() {
        var failure = catchThrowableOfType(Failure.class, () -> inspector.measured(design, state));

        assertThat(failure.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.HOST_SILENT);
    }

    @Test
    void aSilentHostIsWhatItLastTold() {
        state = state.withHost("dead", recorded(new RecordedSize(64, 4096, false)));

        var measured = inspector.measured(design, state);

        assertThat(measured.silent()).containsOnlyKeys("dead");
        assertThat(measured.design().byName().get("dead").cpus()).isEqualTo(64);
        assertThat(measured.design().byName().get("dead").memoryMebibytes()).isEqualTo(4096);
    }

    @Test
    void aHostThatIsKnownToBeSilentIsNotAskedAgainAndTheOthersAre() {
        state = state.withHost("dead", recorded(new RecordedSize(64, 4096, false)));
        var measured = inspector.measured(design, state);

        var looks = inspector.at(desired(measured.design()), List.of(), state, measured.silent());

        assertThat(looks.answers()).containsOnlyKeys("alive");
        assertThat(looks.silent()).containsOnlyKeys("dead");
        assertThat(remote.opened("dead")).isEqualTo(1);
    }

    @Test
    void asksForTheBusOfHostsThatGiveDevicesAway() {
        state = state.withHost("dead", recorded(new RecordedSize(64, 4096, false)));

        assertThat(inspector.measured(design, state).design().buses()).isEmpty();
        passes = true;
        assertThat(inspector.measured(design, state).design().buses()).containsOnlyKeys("alive");
    }

    private static Desired desired(Design design) {
        return new Desired(design, List.of(), Map.of(), List.of(), new Contents(new TreeMap<>()));
    }

    private static RecordedHost recorded(RecordedSize size) {
        return new RecordedHost("10.0.0.9", 22, "root", KEY, null, false, size, new TreeMap<>());
    }

    private static Machine host(String name) {
        return new Machine(
                name,
                new Name("node"),
                Optional.empty(),
                "static",
                new Machine.Specs(1, 1024, false, List.of()),
                new Machine.Ssh(Optional.of("10.0.0.9"), 22, "root", Optional.of(KEY)));
    }
}
