package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.ErrorCode;
import io.deepsite.opennebula.oca.OneException;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Pause;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Finds objects by deepsite's tags, and deletes them. */
final class TaggedResources {
    /** Tries to delete an object in use: OpenNebula frees leases and images of deleted machines a little later. */
    private static final int TRIES = 8;

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Api api;
    private final String front;
    private final Pause pause;
    private final boolean making;

    TaggedResources(Api api, String front, Pause pause) {
        this(api, front, pause, false);
    }

    private TaggedResources(Api api, String front, Pause pause, boolean making) {
        this.api = api;
        this.front = front;
        this.pause = pause;
        this.making = making;
    }

    /** For creation: refuses a name that an object of others has. */
    TaggedResources making() {
        return new TaggedResources(api, front, pause, true);
    }

    String front() {
        return front;
    }

    Optional<Snapshot.Vm> vm(ResourceId id, String name, Tags tags) {
        return find(api::allVms, Snapshot.Vm::ownership, id, name, tags, "");
    }

    Optional<Snapshot.Vm> vm(ObservedResource seen) {
        return find(api::allVms, Snapshot.Vm::ownership, seen.id(), seen.name(), seen.tags(), seen.handle());
    }

    Optional<Snapshot.Image> image(ResourceId id, String name, Tags tags) {
        return find(api::allImages, Snapshot.Image::ownership, id, name, tags, "");
    }

    Optional<Snapshot.Image> image(ObservedResource seen) {
        return find(api::allImages, Snapshot.Image::ownership, seen.id(), seen.name(), seen.tags(), seen.handle());
    }

    int bakedId(String name) {
        int user = api.user();
        return api.allImages().stream()
                .filter(image -> image.name().equals(name) && image.isBakedBy(user) && image.isUsable())
                .findFirst()
                .map(Snapshot.Image::id)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.OPENNEBULA_IMAGE_MISSING,
                        "The baked image " + name + " at " + front + " is gone. Nothing was changed.",
                        "Plan again: machines then start from the image that site.yaml names.")));
    }

    Optional<Snapshot.Network> network(ResourceId id, String name, Tags tags) {
        return find(api::allNetworks, Snapshot.Network::ownership, id, name, tags, "");
    }

    Optional<Snapshot.Network> network(ObservedResource seen) {
        return find(api::allNetworks, Snapshot.Network::ownership, seen.id(), seen.name(), seen.tags(), seen.handle());
    }

    Optional<Snapshot.SecurityGroup> securityGroup(ResourceId id, String name, Tags tags) {
        return find(this::securityGroups, Snapshot.SecurityGroup::ownership, id, name, tags, "");
    }

    Optional<Snapshot.SecurityGroup> securityGroup(ObservedResource seen) {
        return find(
                this::securityGroups,
                Snapshot.SecurityGroup::ownership,
                seen.id(),
                seen.name(),
                seen.tags(),
                seen.handle());
    }

    private List<Snapshot.SecurityGroup> securityGroups() {
        return api.securityGroups().all().stream().map(Read::securityGroup).toList();
    }

    /**
     * The object that carries these tags.
     *
     * @param handle the id that the survey saw, as several objects may carry the tags; empty for any
     * @throws Failure NAME_TAKEN if another state made it, or if it is to be made and its name is taken
     */
    private <T extends Snapshot.Thing> Optional<T> find(
            Supplier<List<T>> all,
            Function<T, Optional<Ownership>> tagged,
            ResourceId id,
            String name,
            Tags tags,
            String handle) {
        boolean foreign = false;
        for (var thing : all.get()) {
            var ownership = tagged.apply(thing).filter(ours -> ours.isOf(id, tags.site()));
            boolean meant = handle.isEmpty() || handle.equals(String.valueOf(thing.id()));
            if (ownership.isPresent() && meant) {
                if (!ownership.get().tags().sameState(tags)) {
                    throw nameTaken(id, name);
                }
                return Optional.of(thing);
            }
            foreign |= thing.name().equals(name);
        }
        if (foreign && making) {
            throw nameTaken(id, name);
        }
        return Optional.empty();
    }

    /** @throws Failure PROVIDER_REFUSED if it does not exist */
    int needed(Optional<? extends Snapshot.Thing> found, ResourceId id, String name) {
        return found.orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.PROVIDER_REFUSED,
                        "The " + Kinds.words(id.kind()) + " " + name + " at " + front
                                + " does not exist any more, and another resource needs it. Nothing was changed.",
                        "Plan again: deepsite then makes it again.")))
                .id();
    }

    /** Succeeds if it is already deleted; waits while it is in use. */
    void delete(Runnable deletion, String what, Call call) {
        for (int tries = 1; ; tries++) {
            try {
                deletion.run();
                return;
            } catch (OneException.Refused e) {
                if (e.kind() == ErrorCode.NO_EXISTS) {
                    return;
                }
                if (e.kind() == ErrorCode.AUTHORIZATION || e.kind() == ErrorCode.AUTHENTICATION) {
                    throw e;
                }
                if (tries == TRIES) {
                    throw new Failure(
                            Diagnostic.error(
                                    Code.OPENNEBULA_IN_USE,
                                    "The " + what + " at " + front + " is still there: " + Faults.sentence(e.said()),
                                    "Delete what uses it if that is not needed, then run the same command again: it"
                                            + " resumes from here."),
                            e);
                }
                if (call.cancelled()) {
                    throw cancelled("Deleting the " + what + " was cancelled; it is still there.");
                }
                call.progress("still in use");
                pause.of(PAUSE);
            }
        }
    }

    /** @param what {@code image}; messages add an s */
    Diagnostic vanished(String what, String name) {
        return Diagnostic.error(
                Code.PROVIDER_REFUSED,
                "The " + what + " " + name + " at " + front + " was made, but then deleted.",
                "Another client deletes " + what + "s there. Stop it, then run the same command again.");
    }

    Failure nameTaken(ResourceId id, String name) {
        return new Failure(Compilation.nameTaken(front, id.kind(), name));
    }

    Failure cancelled(String what) {
        return new Failure(Diagnostic.error(Code.CANCELLED, what, "Run the same command again: it resumes from here."));
    }
}
