package io.deepsite.cli;

import io.deepsite.client.Login;
import io.deepsite.client.LoginFile;
import io.deepsite.client.ServiceAddress;
import io.deepsite.client.login.IdentityProvider;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code deepsite logout}: forgets a login at a service. */
@Command(
        name = "logout",
        description = {
            "Forget your login at a service.",
            "Removes its tokens from this machine, and tells the identity provider that they are not needed any more, where it"
                    + " can be told. Without a URL it logs out where you logged in last."
        },
        footer = {"  deepsite logout", "  deepsite logout https://clusters.example.org"})
final class LogoutCommand extends DeepsiteCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "URL", description = "The address of the service.")
    private @Nullable String url;

    LogoutCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var service = ServiceAddress.parse(url == null ? AtService.latest(at) : url);
        var gone = new LoginFile(at.userHome()).forget(service);
        gone.ifPresent(this::revoke);
        say(gone.isPresent() ? "Logged out at " + service + "." : "You were not logged in at " + service + ".");
        return ExitCode.DONE.number();
    }

    /** Here it is forgotten in any case. */
    private void revoke(Login login) {
        try {
            login.renewal()
                    .ifPresent(renewal -> new IdentityProvider(
                                    renewal.issuer(),
                                    renewal.clientId(),
                                    login.caFile().map(AtService::trust),
                                    at.clock())
                            .revoke(renewal.refreshToken()));
        } catch (Failure e) {
            at.tell(e.diagnostics());
        }
    }
}
