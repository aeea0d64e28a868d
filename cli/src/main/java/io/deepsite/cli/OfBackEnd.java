package io.deepsite.cli;

import io.deepsite.provider.Provider;
import picocli.CommandLine.Mixin;

/** A command about a back-end and every site on it. */
abstract class OfBackEnd extends DeepsiteCommand {
    @Mixin
    private BackEndOptions backEnd = new BackEndOptions();

    OfBackEnd(CommandContext at) {
        super(at);
    }

    @Override
    protected final int run() {
        try (var provider = backEnd.open(at)) {
            return work(provider);
        }
    }

    /** As {@link #run}, with the back-end open. */
    abstract int work(Provider provider);
}
