package io.deepsite.cli;

import io.deepsite.cli.view.BakedView;
import io.deepsite.cli.view.Json;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.BakeOperation;
import io.deepsite.operations.SiteContext;
import io.deepsite.site.Name;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code deepsite image bake}: images with the packages of a site's roles. */
@Command(
        name = "bake",
        description = {
            "Make images of the site's machine groups, with the packages that their roles bring.",
            "New machines whose image and roles are the same start from them. Before an image is stored, it is cleaned,"
                    + " and searched for keys and secrets."
        },
        footer = {"  deepsite image bake", "  deepsite image bake lab/site.yaml node"})
final class BakeCommand extends OfSite {
    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "GROUP",
            description = "The machine group to bake for (default: all).")
    private @Nullable String group;

    BakeCommand(CommandContext at) {
        super(at);
    }

    @Override
    int work(SiteContext context) {
        var baked = bake(context, Optional.ofNullable(group).map(BakeCommand::name));
        if (json) {
            var line = new LinkedHashMap<String, Object>();
            line.put("time", at.clock().instant().toString());
            line.put("event", "result");
            line.put("images", BakedView.json(baked));
            print(Json.line(line) + "\n");
        } else {
            print(BakedView.text(baked));
        }
        return ExitCode.DONE.number();
    }

    private List<BakeOperation.Baked> bake(SiteContext context, Optional<Name> only) {
        try (var progress = new ProgressDisplay(at, this, Map.of())) {
            return new BakeOperation(context, progress.events(), progress.cancel()).bake(only);
        }
    }

    private static Name name(String typed) {
        try {
            return Name.parse(typed);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.UNKNOWN_STAGE,
                            "\"" + typed + "\" is not the name of a machine group: " + e.getMessage() + ".",
                            "Name a group of site.yaml."),
                    e);
        }
    }
}
