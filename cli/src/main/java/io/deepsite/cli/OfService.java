package io.deepsite.cli;

import picocli.CommandLine.Mixin;

/** A command that has a meaning at services only. */
abstract class OfService extends DeepsiteCommand implements AlsoAtService {
    @Mixin
    @SuppressWarnings("unused") // picocli reads it
    private ServiceOption service = new ServiceOption();

    OfService(CommandContext at) {
        super(at);
    }

    /** Where somebody logged in last. */
    @Override
    protected final int run() {
        return runAt(AtService.latest(at));
    }

    @Override
    public final int runAt(String address) {
        return AtService.with(at, address, this::work);
    }

    /** As {@link #run}, at the service. */
    abstract int work(AtService opened);
}
