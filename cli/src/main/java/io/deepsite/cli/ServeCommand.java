package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import io.deepsite.service.Service;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite serve}: sites on demand, by pages and an API. */
@Command(
        name = "serve",
        description = {
            "Serve pages and an API with which members of projects order sites from a catalogue.",
            "Runs until it is ended; runs on sites go on with the next start, or in another replica."
        },
        footer = {
            "  deepsite serve",
            "  deepsite serve /etc/deepsite/service.yaml",
            "  deepsite serve service-example/service.yaml --test-login    # to try it on this machine"
        })
final class ServeCommand extends DeepsiteCommand {
    private static final List<String> ENDS = List.of("INT", "TERM");

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "service.yaml",
            description = "The settings of the service (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("service.yaml");

    @Option(
            names = "--test-login",
            order = 1,
            description =
                    "Let anybody on this machine log in with any name and any groups. To try it, never to offer it.")
    private boolean testLogin;

    ServeCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var end = new CountDownLatch(1);
        ENDS.forEach(signal -> Signals.on(signal, end::countDown));
        try (var service = Service.start(file, testLogin, SiteContexts.runtime(at), SiteContext::open)) {
            tell(service);
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.DONE.number();
    }

    private void tell(Service service) {
        if (json) {
            var line = new LinkedHashMap<String, Object>();
            line.put("event", "serving");
            line.put("url", service.seen().toString());
            printJson(line);
        } else {
            print("Serving at " + service.seen() + ". End it with ^C.\n");
        }
        at.terminal().out().flush();
    }
}
