package io.deepsite.lxd;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Capabilities;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/** The provider {@code lxd}, over LXD's REST API. */
final class LxdProvider implements Provider {
    /** Most changes at once: more would only wait for LXD's disk and database. */
    private static final int CONCURRENT_CHANGES = 16;
    /** Tries of one request; with their pauses they outlast a restart of LXD (about 3 s). */
    private static final int ATTEMPTS = 6;
    /** Tries of a change that fails by a fault of LXD, see {@link Refusal#isOwnFault}. */
    private static final int OWN_FAULTS = 3;
    /** States that an instance does not leave by itself. */
    private static final Set<String> DOWN = Set.of("Stopped", "Frozen", "Error");

    private final DaemonSettings settings;
    private final Path folder;
    private final Faults faults;
    private final Rest rest;
    private final Events events;
    private final Operations operations;
    private final MachineCalls machines;
    private final StorageCalls storage;
    private final NetworkCalls networks;
    private final Instances instances;
    private final Semaphore changes = new Semaphore(CONCURRENT_CHANGES);

    /** @param folder of site.yaml */
    LxdProvider(DaemonSettings settings, Endpoint endpoint, Path folder) {
        this.settings = settings;
        this.folder = folder;
        this.faults = new Faults(settings.address());
        this.rest = new Rest(endpoint.client(), endpoint.base(), settings.project(), faults, ATTEMPTS);
        this.events = new Events(rest);
        this.operations = new Operations(rest, faults, events);
        this.instances = new Instances(rest, operations, settings.daemon());
        this.machines = new MachineCalls(instances, faults, settings.project());
        this.storage = new StorageCalls(new Pools(rest), faults, settings.project());
        this.networks = new NetworkCalls(new Networks(rest), faults, settings.project());
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, settings.address().isSocket(), false, false, false);
    }

    @Override
    public Survey survey(Tags.Scope scope) {
        try {
            return new LxdSurvey(
                    new SnapshotReader(rest, faults, settings, new HostLook(settings, folder)).read(), settings, scope);
        } catch (Refusal refusal) {
            throw faults.refused(refusal);
        }
    }

    @Override
    public void create(Resource desired, Tags tags, Boot boot, Call call) {
        change(call, () -> {
            switch (desired.id().kind()) {
                case ResourceId.MACHINE -> machines.create(desired, tags, boot, call);
                case PoolAttributes.KIND -> storage.createPool(desired, tags);
                case VolumeAttributes.KIND -> storage.createVolume(desired, tags);
                case NetworkAttributes.KIND -> networks.create(desired, tags);
                default -> throw unknown(desired.id());
            }
        });
    }

    @Override
    public void update(ObservedResource seen, Resource desired, Call call) {
        change(call, () -> {
            switch (seen.id().kind()) {
                case ResourceId.MACHINE -> machines.update(seen, desired, call);
                case VolumeAttributes.KIND -> storage.updateVolume(seen, desired);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void delete(ObservedResource seen, Call call) {
        change(call, () -> {
            switch (seen.id().kind()) {
                case ResourceId.MACHINE -> machines.delete(seen, call);
                case PoolAttributes.KIND -> storage.deletePool(seen);
                case VolumeAttributes.KIND -> storage.deleteVolume(seen);
                case NetworkAttributes.KIND -> networks.delete(seen);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void release(ObservedResource seen, Call call) {
        change(call, () -> {
            switch (seen.id().kind()) {
                case PoolAttributes.KIND -> storage.releasePool(seen);
                case VolumeAttributes.KIND -> storage.releaseVolume(seen);
                case NetworkAttributes.KIND -> networks.release(seen);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void retag(ObservedResource seen, Optional<Tags.Lease> lease, Call call) {
        var tags = Ownership.lease(lease);
        change(call, () -> {
            switch (seen.id().kind()) {
                case ResourceId.MACHINE -> machines.retag(seen, tags);
                case PoolAttributes.KIND -> storage.retagPool(seen, tags);
                case VolumeAttributes.KIND -> storage.retagVolume(seen, tags);
                case NetworkAttributes.KIND -> networks.retag(seen, tags);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void place(ObservedResource machine, Boot boot, Call call) {
        change(call, () -> machines.place(machine, boot));
    }

    @Override
    public String consoleLog(String machine, Name site) {
        try {
            return instances.console(site + "-" + machine, 40);
        } catch (Refusal refusal) {
            throw faults.refused(refusal);
        }
    }

    @Override
    public Optional<String> down(String machine, Name site) {
        try {
            var found = instances.find(site + "-" + machine).map(Rest.Etagged::value);
            return found.isEmpty()
                    ? Optional.of("it is not there")
                    : found.filter(instance -> DOWN.contains(instance.status()))
                            .map(instance -> "its status is " + instance.status());
        } catch (Refusal refusal) {
            throw faults.refused(refusal);
        }
    }

    @Override
    public Optional<ImageStore> images() {
        var recipes = Path.of(System.getProperty("deepsite.home", "")).resolve("image-recipes");
        return Optional.of(
                new LxdImages(rest, operations, faults, new Recipes(recipes), settings.images(), folder, machines));
    }

    @Override
    public void close() {
        events.close();
        rest.close();
    }

    private void change(Call call, Runnable remote) {
        try {
            changes.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interrupted();
        }
        try {
            retry(call, remote);
        } catch (Refusal refusal) {
            throw faults.refused(refusal);
        } finally {
            changes.release();
        }
    }

    /**
     * Repeats a change at once if it failed by a fault of LXD. Every change is idempotent: it keeps what exists, makes
     * incomplete machines again, and accepts what is already deleted.
     */
    private void retry(Call call, Runnable remote) {
        for (int tries = 1; ; tries++) {
            try {
                remote.run();
                return;
            } catch (Refusal refusal) {
                if (tries == OWN_FAULTS || !refusal.isOwnFault()) {
                    throw refusal;
                }
                call.progress(settings.daemon() + " failed internally, trying again: " + refusal.error());
            }
        }
    }

    private IllegalArgumentException unknown(ResourceId id) {
        return new IllegalArgumentException(settings.daemon() + " cannot do this to " + id);
    }
}
