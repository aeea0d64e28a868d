package io.deepsite.openstack;

import io.deepsite.diag.Code;
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
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/** One project of an OpenStack cloud. */
final class OpenStackProvider implements Provider {
    /** Most changes at once: more would only wait in the cloud's queues. */
    private static final int CONCURRENT_CHANGES = 16;
    /** What messages about waiting wait for. */
    private static final String CLOUD = "the cloud";

    private final OpenStackSettings settings;
    private final Cloud cloud;
    private final Path folder;
    private final TaggedResources things;
    private final NetworkCalls networks;
    private final PortCalls ports;
    private final ServerCalls servers;
    private final VolumeCalls volumes;
    private final ImageCalls images;
    private final FlavorCalls flavors;
    private final BakedImageCalls bakedImages;
    private final Semaphore changes = new Semaphore(CONCURRENT_CHANGES);

    /** @param folder of site.yaml */
    OpenStackProvider(OpenStackSettings settings, Cloud cloud, Path folder, Pause pause, InstantSource clock) {
        this.settings = settings;
        this.cloud = cloud;
        this.folder = folder;
        this.things = new TaggedResources(cloud, words(settings), pause);
        var neutron = new Neutron(cloud);
        this.networks = new NetworkCalls(cloud, neutron, things);
        this.ports = new PortCalls(cloud, neutron, things, networks);
        this.servers = new ServerCalls(
                cloud,
                things,
                watch(Family.SERVERS, pause, clock),
                new Attachments(cloud, watch(Family.VOLUMES, pause, clock), things.words()),
                new ServerBody(cloud, things, folder),
                settings.retries());
        this.volumes = new VolumeCalls(cloud, things, watch(Family.VOLUMES, pause, clock));
        this.images = new ImageCalls(cloud, things, folder);
        this.flavors = new FlavorCalls(cloud, things);
        this.bakedImages = new BakedImageCalls(cloud, things, watch(Family.IMAGES, pause, clock));
    }

    private <T extends Snapshot.Tagged> Polling<T> watch(Family<T> family, Pause pause, InstantSource clock) {
        return new Polling<>(
                CLOUD,
                Code.OPENSTACK_TOO_SLOW,
                () -> family.all(cloud).stream()
                        .collect(Collectors.toMap(Snapshot.Tagged::id, one -> one, (first, _) -> first)),
                pause,
                clock);
    }

    /** How messages name the cloud. */
    private static String words(OpenStackSettings settings) {
        return settings.cloud().map(name -> "the cloud " + name).orElse("the cloud");
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, false, false, true, false);
    }

    @Override
    public Survey survey(Tags.Scope scope) {
        try {
            var snapshot = new SnapshotReader(cloud, words(settings), settings, folder).read();
            return new OpenStackSurvey(snapshot, settings, scope, cloud.backEnd());
        } catch (Refusal refusal) {
            throw cloud.faults().refused(refusal, Faults.NOTHING_CHANGED);
        }
    }

    @Override
    public void create(Resource desired, Tags tags, Boot boot, Call call) {
        change(
                "The " + Family.of(desired.id().kind()).words() + " " + desired.name()
                        + " was not created, or is incomplete.",
                () -> {
                    switch (desired.id().kind()) {
                        case Kinds.NETWORK -> networks.createNetwork(desired, tags);
                        case Kinds.SUBNET -> networks.createSubnet(desired, tags);
                        case Kinds.ROUTER -> networks.createRouter(desired, tags);
                        case Kinds.SECURITY_GROUP -> ports.createSecurityGroup(desired, tags);
                        case Kinds.SECURITY_RULES -> ports.setRules(desired, tags);
                        case Kinds.PORT -> ports.createPort(desired, tags);
                        case Kinds.FLOATING_IP -> ports.createFloatingIp(desired, tags);
                        case Kinds.SERVER_GROUP -> flavors.createServerGroup(desired, tags);
                        case Kinds.KEYPAIR -> flavors.createKeypair(desired, tags, boot);
                        case Kinds.FLAVOR -> flavors.createFlavor(desired, tags);
                        case Kinds.IMAGE -> images.create(desired, tags, call);
                        case Kinds.VOLUME -> volumes.create(desired, tags, call);
                        case Kinds.SERVER -> servers.create(desired, tags, boot, call);
                        default -> throw unknown(desired.id());
                    }
                });
    }

    @Override
    public void update(ObservedResource seen, Resource desired, Call call) {
        change("The " + Family.of(seen.id().kind()).words() + " " + seen.name() + " is still there.", () -> {
            switch (seen.id().kind()) {
                case Kinds.SUBNET -> networks.updateSubnet(seen, desired);
                case Kinds.ROUTER -> networks.updateRouter(seen, desired);
                case Kinds.SECURITY_RULES -> ports.setRules(desired, seen.tags());
                case Kinds.PORT -> ports.updatePort(seen, desired);
                case Kinds.FLOATING_IP -> ports.updateFloatingIp(seen, desired);
                case Kinds.IMAGE -> images.update(seen, desired);
                case Kinds.VOLUME -> volumes.update(seen, desired, call);
                case Kinds.SERVER -> servers.update(seen, desired, call);
                default -> throw unknown(seen.id());
            }
        });
    }

    @Override
    public void delete(ObservedResource seen, Call call) {
        change("The " + Family.of(seen.id().kind()).words() + " " + seen.name() + " is still there.", () -> {
            switch (seen.id().kind()) {
                case Kinds.ROUTER -> networks.deleteRouter(seen, call);
                case Kinds.SECURITY_RULES -> ports.deleteRules(seen);
                case Kinds.VOLUME -> volumes.delete(seen, call);
                case Kinds.SERVER -> servers.delete(seen, call);
                default -> things.delete(seen, call);
            }
        });
    }

    @Override
    public void release(ObservedResource seen, Call call) {
        change("The volume " + seen.name() + " still has its tags.", () -> volumes.release(seen));
    }

    @Override
    public void retag(ObservedResource seen, Optional<Tags.Lease> lease, Call call) {
        var ownership = new Ownership(seen.id(), seen.tags()).with(lease);
        change("The recorded end of the lease is unchanged there.", () -> {
            switch (seen.id().kind()) {
                // They hold no lease: rules have their group's, the others that of the rest of their site.
                case Kinds.SECURITY_RULES, Kinds.SERVER_GROUP, Kinds.KEYPAIR -> {}
                case Kinds.FLAVOR -> flavors.retagFlavor(seen, ownership);
                case Kinds.IMAGE -> images.retag(seen, ownership);
                case Kinds.VOLUME -> volumes.retag(seen, ownership);
                case Kinds.SERVER -> servers.retag(seen, ownership);
                default -> networks.describe(seen, ownership.text());
            }
        });
    }

    @Override
    public void place(ObservedResource machine, Boot boot, Call call) {
        change(Faults.NOTHING_CHANGED, () -> servers.place(machine, boot));
    }

    @Override
    public Optional<String> outside(String machine, Name site) {
        try {
            return ports.floatingAddress(machine, site);
        } catch (Refusal refusal) {
            throw cloud.faults().refused(refusal, "The server " + site + "-" + machine + " is there.");
        }
    }

    @Override
    public String consoleLog(String machine, Name site) {
        try {
            return servers.console(machine, site);
        } catch (Refusal refusal) {
            throw cloud.faults().refused(refusal, Faults.NOTHING_CHANGED);
        }
    }

    @Override
    public Optional<String> down(String machine, Name site) {
        try {
            return servers.down(machine, site);
        } catch (Refusal refusal) {
            throw cloud.faults().refused(refusal, Faults.NOTHING_CHANGED);
        }
    }

    @Override
    public Optional<ImageStore> images() {
        return Optional.of(bakedImages);
    }

    @Override
    public void close() {
        cloud.close();
    }

    /** @param otherwise what the message says is in the cloud if it refuses */
    private void change(String otherwise, Runnable remote) {
        try {
            changes.acquire();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw cloud.faults().interrupted();
        }
        try {
            remote.run();
        } catch (Refusal refusal) {
            throw cloud.faults().refused(refusal, otherwise);
        } finally {
            changes.release();
        }
    }

    private static IllegalArgumentException unknown(ResourceId id) {
        return new IllegalArgumentException("OpenStack cannot do this to " + id);
    }
}
