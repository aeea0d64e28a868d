package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.Readiness;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.remote.Watch;
import io.deepsite.state.CrashPoint;
import java.util.Map;

/**
 * Makes a machine generate its own SSH host key, which replaces the injected one that others can read. deepsite never
 * accepts a key that did not arrive over a connection verified by the one before. See ADR 12.
 */
final class OwnHostKey {
    /** Both scripts are idempotent, and safe to interrupt at any instant. */
    private static final String MAKE = """
            set -eu
            umask 077
            cd /etc/ssh
            if [ ! -s deepsite_next_key.pub ]; then
                rm -f deepsite_next_key deepsite_next_key.pub
                ssh-keygen -q -t ed25519 -N '' -C '' -f deepsite_next_key
                sync
            fi
            cat deepsite_next_key.pub
            """;

    private static final String SWITCH = """
            set -eu
            cd /etc/ssh
            for end in '' .pub; do
                if [ -s "deepsite_next_key$end" ]; then mv -f "deepsite_next_key$end" "ssh_host_ed25519_key$end"; fi
            done
            chmod 0644 ssh_host_ed25519_key.pub
            sync
            for unit in ssh sshd; do
                if systemctl is-active --quiet "$unit.service"; then
                    systemctl restart "$unit.service"
                    break
                fi
            done
            ssh-keygen -y -f ssh_host_ed25519_key
            """;

    private final Access access;
    private final Readiness readiness;
    private final RunRecorder recorder;

    OwnHostKey(Access access, Readiness readiness, RunRecorder recorder) {
        this.access = access;
        this.readiness = readiness;
        this.recorder = recorder;
    }

    static String step(String machine) {
        return "host-key:" + machine;
    }

    /**
     * Returns at once for a machine that has its own key.
     *
     * @throws Failure HOST_KEY_NOT_MADE, or as waiting for a machine
     */
    void make(Machine machine, Map<String, Machine> site, Call call, Watch watch) {
        var name = machine.name();
        if (access.hasOwnKey(name)) {
            return;
        }
        call.progress("making an SSH host key of its own");
        recorder.intent(step(name), Map.of());
        try {
            var own = change(machine, site, call, watch);
            // Record the new key before dropping the injected one: the recorded key is always one of those accepted.
            recorder.done(step(name), state -> {
                var host = state.hosts().get(name);
                return host == null ? state : state.withHost(name, host.withHostKey(own.line()));
            });
            access.keyChanged(name);
        } catch (Failure e) {
            recorder.failed(step(name), e.diagnostics().getFirst().code().id());
            throw e;
        }
    }

    private HostKey change(Machine machine, Map<String, Machine> site, Call call, Watch watch) {
        var received = access.changingTo(machine.name());
        var next = received.isPresent() ? received.get() : next(machine, site, call, watch);
        var target = access.target(machine, site);
        var shown = key(target, run(target, SWITCH, call, watch));
        if (!shown.equals(next) && received.isPresent()) {
            // A crash lost the key that an earlier run received: it was not yet on the machine's disk.
            next = next(machine, site, call, watch);
            target = access.target(machine, site);
            shown = key(target, run(target, SWITCH, call, watch));
        }
        if (!shown.equals(next)) {
            throw notMade(target, "it has " + shown.fingerprint() + " after it made " + next.fingerprint());
        }
        readiness.await(target.showing(next), call, watch);
        return next;
    }

    private HostKey next(Machine machine, Map<String, Machine> site, Call call, Watch watch) {
        var target = access.target(machine, site);
        var next = key(target, run(target, MAKE, call, watch));
        access.changeKey(machine.name(), next);
        return next;
    }

    private RemoteHost.Output run(SshTarget target, String script, Call call, Watch watch) {
        CrashPoint.pass("host.before");
        var output = readiness.run(target, script, call, watch);
        CrashPoint.pass("host.after");
        return output;
    }

    private static HostKey key(SshTarget target, RemoteHost.Output said) {
        if (said.exit() != 0) {
            var why = said.stderrTail(5);
            throw notMade(target, why.isEmpty() ? "the script ended with " + said.exit() : why);
        }
        try {
            return HostKey.parse(said.stdout());
        } catch (IllegalArgumentException _) {
            throw notMade(target, "its answer is not a key");
        }
    }

    private static Failure notMade(SshTarget target, String why) {
        return new Failure(Diagnostic.error(
                Code.HOST_KEY_NOT_MADE,
                target
                        + " still has its injected SSH host key, which others can read on the back-end. It did not"
                        + " generate its own: " + why + ". Nothing was configured on it.",
                "Fix that on the host, then run the same command again. The host needs ssh-keygen."));
    }
}
