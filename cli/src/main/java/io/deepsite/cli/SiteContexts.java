package io.deepsite.cli;

import io.deepsite.operations.RuntimeContext;
import io.deepsite.operations.SiteContext;
import io.deepsite.site.load.LoadResult;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Opens a site for one command. */
final class SiteContexts {
    private SiteContexts() {}

    static int with(CommandContext at, SiteFile target, ToIntFunction<SiteContext> work) {
        return with(at, target.file(), target.set(), target.store(), work);
    }

    static int with(CommandContext at, SiteOption target, ToIntFunction<SiteContext> work) {
        return with(at, target.file(), target.set(), target.store(), work);
    }

    static RuntimeContext runtime(CommandContext at) {
        return new RuntimeContext(
                at.files(),
                Version.CURRENT,
                at.environment(),
                at.userHome(),
                Path.of("/"),
                at.clock(),
                at.ssh(),
                at.kinds(),
                at.stores(),
                at::notice);
    }

    /** @param loaded the site to use instead of what the file holds now */
    static int with(CommandContext at, Path file, LoadResult loaded, ToIntFunction<SiteContext> work) {
        try (var context = SiteContext.of(file, loaded, runtime(at))) {
            return work.applyAsInt(context);
        }
    }

    private static int with(
            CommandContext at, Path file, Map<String, String> set, String store, ToIntFunction<SiteContext> work) {
        at.about(new SiteWords(file, set, store));
        return with(at, file, at.loader().load(file, set), work);
    }
}
