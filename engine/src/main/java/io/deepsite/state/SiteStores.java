package io.deepsite.state;

import io.deepsite.diag.Diagnostic;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** All records of one site, wherever they are kept. Any thread may call; whoever writes holds {@link #lock()}. */
public interface SiteStores extends AutoCloseable {
    /** For messages: where the records are. */
    String place();

    StateStore state();

    SiteLock lock();

    Vault vault();

    Runs runs();

    LastResults lastResults();

    /** For a run, which closes it; warns if the last entry is incomplete. */
    Journal journal();

    /** Intents without an outcome, without the lock. */
    List<JournalEntry> openIntents();

    /** Whether others than this machine use these records, so that what a user needs must be among them. */
    boolean isShared();

    /** Deletes state, secrets and journal, which are somewhere else now; keeps runs and last results. */
    void forget();

    /** Deletes all records of the site. */
    void remove();

    @Override
    void close();

    /**
     * The site to open.
     *
     * @param folder for what only this machine needs, and for all records where there is no other store
     * @param tool version of deepsite
     * @param notices gets what is worth telling but ends nothing
     */
    record Opening(StateFolder folder, String site, String tool, InstantSource clock, Consumer<Diagnostic> notices) {}

    /** Opens the records of sites; touches nothing until these are asked. */
    @FunctionalInterface
    interface Factory {
        SiteStores open(Opening site);
    }
}
