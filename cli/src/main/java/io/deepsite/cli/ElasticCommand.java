package io.deepsite.cli;

import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.cli.view.Json;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.ElasticEvent;
import io.deepsite.operations.ElasticOperation;
import io.deepsite.operations.ElasticPauses;
import io.deepsite.operations.ElasticRoom;
import io.deepsite.operations.SiteContext;
import java.util.LinkedHashMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite elastic}: makes and removes machines as clusters ask for them. */
@Command(
        name = "elastic",
        description = {
            "Make and remove the machines of elastic groups as their cluster asks for them.",
            "Runs until it is ended. It follows the controller over deepsite's own SSH connection: the controller has no login"
                    + " of the back-end and no way to this machine. It applies site.yaml as it was last applied, and gives no"
                    + " consent but for machines of elastic groups. Killed and started again, it continues."
        },
        footer = {"  deepsite elastic", "  deepsite elastic lab/site.yaml --json"})
final class ElasticCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    ElasticCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var file = target.file();
        at.about(new SiteWords(file, target.set(), target.store()));
        var cancel = new Cancel();
        try (var _ = Interruption.listen(cancel, this::notice, () -> {})) {
            new ElasticOperation(
                            () -> at.loader().load(file, target.set()),
                            loaded -> SiteContext.of(file, loaded, SiteContexts.runtime(at)),
                            ElasticRoom.ENDLESS,
                            at::notice,
                            this::tell,
                            cancel,
                            ElasticPauses.USUAL)
                    .run();
        }
        return ExitCode.DONE.number();
    }

    private void notice(Event event) {
        if (event instanceof Event.Notice notice) {
            say(notice.text());
        }
    }

    private synchronized void tell(ElasticEvent event) {
        if (json) {
            var line = new LinkedHashMap<String, Object>();
            line.put("time", at.clock().instant().toString());
            line.put("event", event.event());
            line.put("machines", event.machines());
            line.put("why", event.why());
            print(Json.line(line) + "\n");
        } else {
            print(event.text() + "\n");
        }
    }
}
