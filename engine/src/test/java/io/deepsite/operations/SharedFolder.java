package io.deepsite.operations;

import io.deepsite.state.FileStores;
import io.deepsite.state.Journal;
import io.deepsite.state.JournalEntry;
import io.deepsite.state.LastResults;
import io.deepsite.state.Runs;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import io.deepsite.state.StateStore;
import io.deepsite.state.Vault;
import java.nio.file.Path;
import java.util.List;

/** Records of a site in a folder that several machines share; each keeps its own files in the folder of its site.yaml. */
record SharedFolder(FileStores files) implements SiteStores {

    static SiteStores at(Path shared, Opening site) {
        return new SharedFolder(new FileStores(new Opening(
                new StateFolder(shared.resolve(site.site())), site.site(), site.tool(), site.clock(), site.notices())));
    }

    @Override
    public String place() {
        return files.place();
    }

    @Override
    public StateStore state() {
        return files.state();
    }

    @Override
    public SiteLock lock() {
        return files.lock();
    }

    @Override
    public Vault vault() {
        return files.vault();
    }

    @Override
    public Runs runs() {
        return files.runs();
    }

    @Override
    public LastResults lastResults() {
        return files.lastResults();
    }

    @Override
    public Journal journal() {
        return files.journal();
    }

    @Override
    public List<JournalEntry> openIntents() {
        return files.openIntents();
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void forget() {
        files.forget();
    }

    @Override
    public void remove() {
        files.remove();
    }

    @Override
    public void close() {}
}
