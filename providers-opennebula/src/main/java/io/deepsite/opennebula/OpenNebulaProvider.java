package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.opennebula.oca.OneException;
import io.deepsite.provider.BackEnd;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Capabilities;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Polling;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The provider {@code opennebula}: one user of an OpenNebula front-end. */
final class OpenNebulaProvider implements Provider {
    /** Most changes at once: more would only wait in oned. */
    private static final int CONCURRENT_CHANGES = 16;

    private static final String WHO = "OpenNebula";

    private final OpenNebulaSettings settings;
    private final Connection connection;
    private final Api api;
    private final Faults faults;
    private final NetworkCalls networks;
    private final ImageCalls images;
    private final VmCalls vms;
    private final BakedImageCalls baked;
    private final Semaphore changes = new Semaphore(CONCURRENT_CHANGES);

    OpenNebulaProvider(OpenNebulaSettings settings, Connection connection, Pause pause, InstantSource clock) {
        this.settings = settings;
        this.connection = connection;
        this.api = new Api(connection.client(pause));
        this.faults = new Faults(connection.endpoint(), connection.origin());
        var things = new TaggedResources(api, faults.front(), pause);
        this.networks = new NetworkCalls(api, things, polling(() -> byId(api.allNetworks()), pause, clock));
        this.images = new ImageCalls(api, things, polling(() -> byId(api.allImages()), pause, clock));
        var templates = new VmTemplate(things);
        var machines = polling(() -> byId(api.allVms()), pause, clock);
        this.vms = new VmCalls(
                api,
                things,
                machines,
                templates,
                new DiskCalls(api, templates, machines, polling(() -> byId(api.allImages()), pause, clock)),
                settings.patience().duration(),
                clock);
        this.baked = new BakedImageCalls(api, things, images, vms, faults);
    }

    private static <T> Polling<T> polling(Supplier<Map<String, T>> list, Pause pause, InstantSource clock) {
        return new Polling<>(WHO, Code.OPENNEBULA_TOO_SLOW, list, pause, clock);
    }

    private static <T extends Snapshot.Thing> Map<String, T> byId(List<T> all) {
        return all.stream().collect(Collectors.toMap(one -> String.valueOf(one.id()), one -> one, (first, _) -> first));
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, false, true, true, true);
    }

    @Override
    public List<Diagnostic> warnings() {
        var endpoint = connection.endpoint().toString();
        return PlainHttp.travels(endpoint)
                ? List.of(Diagnostic.warning(Code.OPENNEBULA_PLAIN_HTTP, null, PlainHttp.why(endpoint), PlainHttp.FIX))
                : List.of();
    }

    @Override
    public Survey survey(Tags.Scope scope) {
        return reading(() -> new OpenNebulaSurvey(
                new SnapshotReader(api, faults.front(), settings).read(), settings, scope, backEnd()));
    }

    /** Identifies a front-end by address and user: it has no name, and each user sees different objects. */
    private BackEnd backEnd() {
        var as = " as " + connection.session().user();
        return new BackEnd(connection.endpoint() + as, faults.front() + as);
    }

    @Override
    public Optional<ImageStore> images() {
        return Optional.of(baked);
    }

    @Override
    public void create(Resource desired, Tags tags, Boot boot, Call call) {
        change(
                "The " + Kinds.words(desired.id().kind()) + " " + desired.name() + " was not made, or only half made.",
                () -> {
                    switch (desired.id().kind()) {
                        case Kinds.NETWORK -> networks.createNetwork(desired, tags, call);
                        case Kinds.SECURITY_GROUP, Kinds.GUARD -> networks.createGroup(desired, tags);
                        case Kinds.IMAGE, Kinds.VOLUME -> images.create(desired, tags, call);
                        case Kinds.VM -> vms.create(desired, tags, boot, call);
                        default -> throw unknown(desired.id());
                    }
                });
    }

    @Override
    public void update(ObservedResource seen, Resource desired, Call call) {
        change(stillThere(seen), () -> {
            switch (seen.id().kind()) {
                case Kinds.NETWORK -> networks.updateNetwork(seen, desired);
                case Kinds.SECURITY_GROUP, Kinds.GUARD -> networks.updateGroup(seen, desired);
                case Kinds.VOLUME -> images.update(seen, desired);
                case Kinds.VM -> vms.update(seen, desired, call);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void delete(ObservedResource seen, Call call) {
        change(stillThere(seen), () -> {
            switch (seen.id().kind()) {
                case Kinds.NETWORK -> networks.deleteNetwork(seen, call);
                case Kinds.SECURITY_GROUP, Kinds.GUARD -> networks.deleteGroup(seen, call);
                case Kinds.IMAGE, Kinds.VOLUME -> images.delete(seen, call);
                case Kinds.VM -> vms.delete(seen, call);
                default -> throw unknown(seen.id());
            }
        });
    }

    /** Networks and their own groups can have other users; a volume can be kept. */
    @Override
    public void release(ObservedResource seen, Call call) {
        change(stillThere(seen), () -> {
            switch (seen.id().kind()) {
                case Kinds.NETWORK -> networks.releaseNetwork(seen);
                case Kinds.GUARD -> networks.releaseGroup(seen);
                case Kinds.VOLUME -> images.release(seen);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void retag(ObservedResource seen, Optional<Tags.Lease> lease, Call call) {
        var ownership = new Ownership(seen.id(), seen.tags()).with(lease);
        change("The recorded end of the lease was not changed.", () -> {
            switch (seen.id().kind()) {
                case Kinds.NETWORK -> networks.retagNetwork(seen, ownership);
                case Kinds.SECURITY_GROUP, Kinds.GUARD -> networks.retagGroup(seen, ownership);
                case Kinds.IMAGE, Kinds.VOLUME -> images.retag(seen, ownership);
                case Kinds.VM -> vms.retag(seen, ownership);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void place(ObservedResource machine, Boot boot, Call call) {
        change(Faults.NOTHING_CHANGED, () -> vms.place(machine, boot));
    }

    /** OpenNebula offers a console only by VNC. */
    @Override
    public String consoleLog(String machine, Name site) {
        return "";
    }

    @Override
    public Optional<String> down(String machine, Name site) {
        return reading(() -> vms.down(machine, site));
    }

    /** Calls keep no connection open. */
    @Override
    public void close() {}

    private static String stillThere(ObservedResource seen) {
        return "The " + Kinds.words(seen.id().kind()) + " " + seen.name() + " is still there.";
    }

    private <T> T reading(Supplier<T> read) {
        try {
            return read.get();
        } catch (OneException e) {
            throw faults.of(e, Faults.NOTHING_CHANGED);
        }
    }

    /** @param otherwise one sentence on the state of the back-end if OpenNebula refuses */
    private void change(String otherwise, Runnable remote) {
        try {
            changes.acquire();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw faults.interrupted();
        }
        try {
            remote.run();
        } catch (OneException e) {
            throw faults.of(e, otherwise);
        } finally {
            changes.release();
        }
    }

    private static IllegalArgumentException unknown(ResourceId id) {
        return new IllegalArgumentException("OpenNebula cannot do this to " + id);
    }
}
