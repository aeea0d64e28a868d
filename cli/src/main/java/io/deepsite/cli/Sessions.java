package io.deepsite.cli;

import io.deepsite.operations.RuntimeContext;
import io.deepsite.operations.SiteSession;
import io.deepsite.site.load.LoadResult;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Opens a site for the length of one command. */
final class Sessions {
    private Sessions() {}

    static int with(CommandContext at, SiteFile target, ToIntFunction<SiteSession> work) {
        return with(at, target.file(), target.set(), work);
    }

    static int with(CommandContext at, SiteOption target, ToIntFunction<SiteSession> work) {
        return with(at, target.file(), target.set(), work);
    }

    static RuntimeContext surroundings(CommandContext at) {
        return new RuntimeContext(
                at.files(),
                Version.CURRENT,
                at.environment(),
                at.userHome(),
                at.clock(),
                at.ssh(),
                at.kinds(),
                at::notice);
    }

    /** @param loaded what the file shall say, whatever it says now */
    static int with(CommandContext at, Path file, LoadResult loaded, ToIntFunction<SiteSession> work) {
        try (var session = SiteSession.of(file, loaded, surroundings(at))) {
            return work.applyAsInt(session);
        }
    }

    private static int with(CommandContext at, Path file, Map<String, String> set, ToIntFunction<SiteSession> work) {
        at.about(new SiteWords(file, set));
        return with(at, file, at.loader().load(file, set), work);
    }
}
