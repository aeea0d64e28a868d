package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.SshTarget;
import io.deepsite.remote.TrustedHosts;
import io.deepsite.site.SshAccess;
import io.deepsite.site.SshJump;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The jump host of site.yaml. Its key comes from site.yaml or the user's known_hosts, never from the host itself. */
final class JumpHost {
    private final SshAccess ssh;
    private final KeyFiles keys;
    private final Path userHome;
    private @Nullable SshTarget target;

    JumpHost(SshAccess ssh, KeyFiles keys, Path userHome) {
        this.ssh = ssh;
        this.keys = keys;
        this.userHome = userHome;
    }

    /** Empty if the machines are reached directly. */
    synchronized Optional<SshTarget> target() {
        if (target == null && ssh.jump().isPresent()) {
            target = target(ssh.jump().get());
        }
        return Optional.ofNullable(target);
    }

    private SshTarget target(SshJump jump) {
        var hostKey = jump.hostKey()
                .or(() -> TrustedHosts.read(TrustedHosts.files(userHome)).key(jump.host(), jump.port()))
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.HOST_KEY_UNKNOWN,
                        "ssh.jump has no hostKey, and " + jump.host() + ", port " + jump.port()
                                + ", is not in your known_hosts, so nothing proves that it is the right host.",
                        "Write its key into site.yaml as ssh.jump.hostKey, or log in once and compare the fingerprint with"
                                + " the one on its console:",
                        "ssh -p " + jump.port() + " " + jump.host())));
        return new SshTarget(
                "the jump host " + jump.host(),
                jump.host(),
                jump.port(),
                jump.user().orElse(ssh.user()),
                HostKey.parse(hostKey),
                keys.of(jump.key().or(ssh::key)));
    }
}
