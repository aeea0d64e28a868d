package io.deepsite.state;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The records of one site as files in its state folder. */
public final class FileStores implements SiteStores {
    private final Opening site;
    private final StateFolder folder;

    public FileStores(Opening site) {
        this.site = site;
        this.folder = site.folder();
    }

    @Override
    public String place() {
        return folder.path().toString();
    }

    @Override
    public StateStore state() {
        return new FileStateStore(folder);
    }

    @Override
    public SiteLock lock() {
        return new FileSiteLock(folder, LockOwner.current(site.tool()), site.clock(), site.notices());
    }

    @Override
    public Vault vault() {
        return new FileVault(folder);
    }

    @Override
    public Runs runs() {
        return new FileRuns(folder);
    }

    @Override
    public LastResults lastResults() {
        return new FileLastResults(folder);
    }

    @Override
    public Journal journal() {
        return FileJournal.open(folder, site.clock(), site.notices());
    }

    @Override
    public List<JournalEntry> openIntents() {
        return JournalContents.read(folder.journalFile()).openIntents();
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void forget() {
        // The state last: without it the others are not looked for.
        for (var file : List.of(folder.journalFile(), folder.vaultFile(), folder.stateFile())) {
            try {
                // A backup without its file is a fault that every command reports.
                Files.deleteIfExists(AtomicFile.backup(file));
                Files.deleteIfExists(file);
                AtomicFile.syncFolder(file);
            } catch (IOException e) {
                throw AtomicFile.notWritten(file, e);
            }
        }
    }

    @Override
    public void remove() {
        folder.delete();
    }

    @Override
    public void close() {}
}
