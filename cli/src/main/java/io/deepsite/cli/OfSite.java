package io.deepsite.cli;

import io.deepsite.operations.SiteContext;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;

/** A command whose first argument is the site. */
abstract class OfSite extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    OfSite(CommandContext at) {
        super(at);
    }

    @Override
    protected final int run() {
        return SiteContexts.with(at, target, this::work);
    }

    /** As {@link #run}, with the site open. */
    abstract int work(SiteContext context);

    Path file() {
        return target.file();
    }
}
