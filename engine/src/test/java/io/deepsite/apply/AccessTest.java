package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.LoginKey;
import io.deepsite.remote.SshTarget;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.site.SshAccess;
import io.deepsite.site.SshJump;
import io.deepsite.state.FileVault;
import io.deepsite.state.SecretStore;
import io.deepsite.state.StateFolder;
import io.deepsite.state.VaultKeyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPzwVTWHsrs6t5VVr2oFzTGLqKwNqmBSsWZ9Ko3xcZEQ";

    @TempDir
    Path root;

    private StateFolder folder;
    private SecretStore secrets;

    @BeforeEach
    void makeFolder() {
        folder = new StateFolder(root.resolve("state")).make();
        secrets = new SecretStore(new FileVault(folder), VaultKeyFile.locate(Map.of(), root), _ -> {});
    }

    @RepeatedTest(5)
    void machinesThatAreMadeAtOnceLetTheSameKeyIn() {
        var machines = IntStream.range(0, 8).mapToObj(i -> "node-" + i).toList();
        secrets.ensure(Access.hostKeys(machines));
        var access = access(Optional.empty());
        var together = new CyclicBarrier(machines.size());

        var keys = Fanout.each(machines.size(), machines, machine -> {
            try {
                together.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            return access.boot(machine).files().stream()
                    .filter(file -> file.path().endsWith("/authorized_keys"))
                    .map(BootFile::content)
                    .toList();
        });

        assertThat(keys.values().stream().distinct()).hasSize(1);
    }

    @Test
    void aMachineBehindAnotherIsReachedThroughIt() {
        var access = access(Optional.empty());
        var site = machines(access, machine("gate", "192.0.2.7", null), machine("node-1", "10.0.0.5", "gate"));

        var target = access.target(site.get("node-1"), site);

        assertThat(target.hops()).extracting(SshTarget::name).containsExactly("gate");
        assertThat(target.hops().getFirst().hostKey()).isNotEqualTo(target.hostKey());
        assertThat(access.target(site.get("gate"), site).via()).isEmpty();
    }

    @Test
    void anAddressThatTheBackEndChoseIsUsedOnceItIsKnown() {
        var access = access(Optional.empty());
        var site = machines(access, machine("gate", "10.0.0.4", null), machine("node-1", "10.0.0.5", "gate"));

        access.reachedAt("gate", "203.0.113.7");

        assertThat(access.target(site.get("gate"), site).address()).isEqualTo("203.0.113.7");
        assertThat(access.target(site.get("node-1"), site).hops())
                .extracting(SshTarget::address)
                .containsExactly("203.0.113.7");
        assertThat(access.recorded(site.get("gate"), site).address()).isEqualTo("203.0.113.7");
        assertThat(access.target(site.get("node-1"), site).address()).isEqualTo("10.0.0.5");
    }

    @Test
    void theWayThereIsRecorded() {
        var access = access(Optional.empty());
        var site = machines(access, machine("gate", "192.0.2.7", null), machine("node-1", "10.0.0.5", "gate"));
        var recorded = new TreeMap<>(Map.of(
                "gate", access.recorded(site.get("gate"), site),
                "node-1", access.recorded(site.get("node-1"), site)));

        assertThat(access.target("node-1", recorded)).isEqualTo(access.target(site.get("node-1"), site));

        recorded.remove("gate");
        var failure = catchThrowableOfType(Failure.class, () -> access.target("node-1", recorded));
        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_KEY_UNKNOWN);
        assertThat(failure.diagnostics().getFirst().why()).contains("through gate, which is no longer recorded");
    }

    @Test
    void theJumpHostOfTheSiteComesFirst() {
        var access = access(Optional.of(jump(Optional.of(KEY))));
        var site = machines(access, machine("gate", "192.0.2.7", null), machine("node-1", "10.0.0.5", "gate"));

        var hops = access.target(site.get("node-1"), site).hops();

        assertThat(hops).extracting(SshTarget::address).containsExactly("jump.example", "192.0.2.7");
        assertThat(hops.getFirst().user()).isEqualTo("admin");
        assertThat(hops.getFirst().port()).isEqualTo(2222);
        assertThat(hops.getFirst().hostKey().line()).isEqualTo(KEY);
        assertThat(hops.getFirst().privateKey()).isEqualTo(root.resolve("lab/gate_key"));
    }

    @Test
    void theJumpHostsKeyIsTakenFromKnownHostsAndNeverOnTrust() throws IOException {
        var unknown = access(Optional.of(jump(Optional.empty())));
        var failure = catchThrowableOfType(Failure.class, unknown::jumpHost);

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_KEY_UNKNOWN);
        assertThat(failure.diagnostics().getFirst().why()).contains("jump.example, port 2222");

        Files.createDirectories(root.resolve(".ssh"));
        Files.writeString(root.resolve(".ssh/known_hosts"), "[jump.example]:2222 " + KEY + "\n");

        assertThat(access(Optional.of(jump(Optional.empty())))
                        .jumpHost()
                        .orElseThrow()
                        .hostKey()
                        .line())
                .isEqualTo(KEY);
    }

    private Access access(Optional<SshJump> jump) {
        var ssh = new SshAccess(
                "admin", 22, jump, Optional.of("~/.ssh/own"), Span.parse("5m"), Span.parse("20m"), Optional.empty());
        return new Access(secrets, new LoginKey(folder, "lab", Optional.empty()), ssh, root.resolve("lab"), root);
    }

    private static SshJump jump(Optional<String> hostKey) {
        return new SshJump("jump.example", Optional.empty(), 2222, Optional.of("gate_key"), hostKey);
    }

    private static Map<String, Machine> machines(Access access, Machine... machines) {
        var site = new TreeMap<String, Machine>();
        List.of(machines).forEach(machine -> {
            access.boot(machine.name());
            site.put(machine.name(), machine);
        });
        return site;
    }

    private static Machine machine(String name, String address, @Nullable String via) {
        return new Machine(
                name,
                new Name("any"),
                Optional.of(new ResourceId(ResourceId.MACHINE, name)),
                "fake",
                new Machine.Specs(1, 1024, false, List.of()),
                new Machine.Ssh(
                        Optional.of(address),
                        22,
                        "root",
                        Optional.empty(),
                        Optional.ofNullable(via),
                        Optional.empty()));
    }
}
