package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.Access;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.FaultMessage;
import io.deepsite.plan.Desired;
import io.deepsite.provider.Design;
import io.deepsite.remote.LocalRemote;
import io.deepsite.remote.LoginKey;
import io.deepsite.render.ContractJson;
import io.deepsite.site.Span;
import io.deepsite.site.SshAccess;
import io.deepsite.site.load.Golden;
import io.deepsite.state.FileVault;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SecretStore;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import io.deepsite.state.VaultKeyFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateRemovalTest {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPzwVTWHsrs6t5VVr2oFzTGLqKwNqmBSsWZ9Ko3xcZEQ";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final SiteState state = SiteState.fresh("lab", "1.0").withHost("old", host("motd"));

    @Test
    void warnsOfWhatStaysOnTheHostAndTakesItOutOfTheState() {
        var warnings = StateRemoval.warnings(state, List.of("old"));

        assertThat(warnings).extracting(Diagnostic::code).containsExactly(Code.HOST_FORGOTTEN);
        assertThat(warnings.getFirst().isError()).isFalse();
        Golden.assertSame(
                Path.of("src/test/resources/golden/faults/state/DS4014-host-forgotten/stderr.txt"),
                DiagnosticPrinter.print(warnings.getFirst()));
        assertThat(StateRemoval.without(state, List.of("old")).hosts()).isEmpty();
    }

    @Test
    void refusesAllWhenOneIsNotRecordedOrWasMadeHere() {
        var made = state.withHost("head", host("motd"))
                .withResource("instance/head", new RecordedResource("instance", "h", new TreeMap<>(), List.of()));

        FaultMessage.assertReads("state/DS4015-host-made", () -> StateRemoval.warnings(made, List.of("old", "head")));
        FaultMessage.assertReads(
                "state/DS4016-host-not-recorded", () -> StateRemoval.warnings(made, List.of("old", "nobody")));
    }

    @Test
    void aHostThatShallBeLeftAndDoesNotAnswerNamesTheWayOut() {
        var looks = inspector().at(nothing(), List.of(), state, Map.of());

        var fault = looks.silent().get("old").getFirst();
        assertThat(fault.code()).isEqualTo(Code.HOST_SILENT);
        assertThat(fault.commands()).containsExactly("deepsite state rm old");
    }

    private HostInspector inspector() {
        var states = new StateFolder(folder.resolve("state")).make();
        var secrets = new SecretStore(new FileVault(states), VaultKeyFile.locate(Map.of(), folder), _ -> {});
        var ssh = new SshAccess(
                "root", 22, Optional.empty(), Optional.empty(), Span.parse("5m"), Span.parse("20m"), Optional.empty());
        var remote = new LocalRemote().without("old", Code.HOST_SILENT);
        return new HostInspector(
                new Access(secrets, new LoginKey(states, "lab", Optional.empty()), ssh, folder, folder),
                remote,
                _ -> false);
    }

    private static Desired nothing() {
        return new Desired(
                new Design(List.of(), List.of()), List.of(), Map.of(), List.of(), new Contents(new TreeMap<>()));
    }

    private static RecordedHost host(String role) {
        var contract = new Contract(role, "old", List.of(), List.of());
        return new RecordedHost("10.0.0.9", 22, "root", KEY, null, false, null, new TreeMap<>())
                .withRole(role, new RecordedRole(role, List.of(), "f", ContractJson.tree(contract), List.of()));
    }
}
