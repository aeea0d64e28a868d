package io.deepsite.statics;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Capabilities;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.remote.TrustedHosts;
import io.deepsite.site.Name;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Machines of an inventory. It owns no resources, so deepsite never calls its changing methods. */
final class StaticProvider implements Provider {
    private final Path inventory;
    private final InventoryProgram program;
    private final List<Path> knownHosts;

    /** @param knownHosts files in OpenSSH's format; missing ones count as empty */
    StaticProvider(Path inventory, InventoryProgram program, List<Path> knownHosts) {
        this.inventory = inventory;
        this.program = program;
        this.knownHosts = List.copyOf(knownHosts);
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(false, false, false, false, false);
    }

    @Override
    public Survey survey(Tags.Scope scope) {
        return new StaticSurvey(inventory, program.read(inventory), TrustedHosts.read(knownHosts));
    }

    @Override
    public void create(Resource desired, Tags tags, Boot boot, Call call) {
        throw unsupported();
    }

    @Override
    public void update(ObservedResource seen, Resource desired, Call call) {
        throw unsupported();
    }

    @Override
    public void delete(ObservedResource seen, Call call) {
        throw unsupported();
    }

    @Override
    public void retag(ObservedResource seen, Optional<Tags.Lease> lease, Call call) {
        throw unsupported();
    }

    @Override
    public void place(ObservedResource machine, Boot boot, Call call) {
        throw unsupported();
    }

    @Override
    public String consoleLog(String machine, Name site) {
        return "";
    }

    @Override
    public void close() {}

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("the provider static neither makes nor changes hosts");
    }
}
