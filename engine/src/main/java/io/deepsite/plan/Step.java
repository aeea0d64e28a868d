package io.deepsite.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.deepsite.contract.Contract;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.site.PathName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** One unit of work of apply, self-contained: apply reads nothing else. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "step")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Step.OfResource.class, name = "resource"),
    @JsonSubTypes.Type(value = Step.OfRole.class, name = "role"),
    @JsonSubTypes.Type(value = Step.Leave.class, name = "leave")
})
public sealed interface Step {
    /** Unique in the plan, and the same in every plan for the same subject. */
    String id();

    /** Steps of this plan that must have succeeded before, and {@link Barriers} of such steps. */
    List<String> needs();

    Change change();

    /** Why, in a few words. */
    String reason();

    /** The consents it needs, computed from what it does: a stored plan cannot claim fewer. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    SortedSet<Consent> consents();

    /**
     * The change of one resource.
     *
     * @param desired absent for a delete
     * @param seen absent for a create; its {@code version} is the step's precondition
     */
    record OfResource(
            String id,
            List<String> needs,
            Change change,
            String reason,
            Optional<Resource> desired,
            Optional<ObservedResource> seen,
            List<FieldChange> fields)
            implements Step {
        public OfResource {
            needs = List.copyOf(needs);
            fields = List.copyOf(fields);
        }

        OfResource withNeeds(Collection<String> others) {
            return new OfResource(id, List.copyOf(others), change, reason, desired, seen, fields);
        }

        @Override
        public SortedSet<Consent> consents() {
            return Consent.of(this);
        }

        /** Whether the change takes a running machine down for a while. */
        public boolean restarts() {
            return change == Change.UPDATE && consents().contains(Consent.REBOOT);
        }

        /** The key of the resource: of a machine, its name. */
        public String host() {
            return RoleSteps.host(this);
        }

        public boolean isMachine() {
            return desired.map(Resource::isMachine)
                    .orElseGet(() -> seen.orElseThrow().id().kind().equals("instance"));
        }
    }

    /** What every step says of itself; see the methods of the same names. */
    record Head(String id, List<String> needs, Change change, String reason) {
        public Head {
            needs = List.copyOf(needs);
        }
    }

    /**
     * What a role changes on a host.
     *
     * @param items those that differ; the contract holds all
     * @param dropped items that were applied and are no longer wanted; left before the rest is applied
     */
    record Differences(List<ItemChange> items, List<ActionChange> actions, Optional<Contract> dropped) {
        public Differences {
            items = List.copyOf(items);
            actions = List.copyOf(actions);
        }

        boolean isEmpty() {
            return items.isEmpty() && actions.isEmpty() && dropped.isEmpty();
        }
    }

    /**
     * One role on one host; steps of one stage run together. In JSON its parts are not seen.
     *
     * @param fresh the machine is made by this plan: nothing is there that could be lost
     * @param precondition digest of what the probe saw of this contract; empty for a machine that is made by this plan
     */
    record OfRole(
            @JsonUnwrapped Head head,
            String stage,
            String host,
            boolean fresh,
            Contract contract,
            String fingerprint,
            @JsonUnwrapped Differences differences,
            Optional<String> precondition)
            implements Step {
        public OfRole {
            PathName.require("stage", stage);
            PathName.require("host", host);
        }

        @Override
        public String id() {
            return head.id;
        }

        @Override
        public List<String> needs() {
            return head.needs;
        }

        @Override
        public Change change() {
            return head.change;
        }

        @Override
        public String reason() {
            return head.reason;
        }

        public List<ItemChange> items() {
            return differences.items;
        }

        public List<ActionChange> actions() {
            return differences.actions;
        }

        public Optional<Contract> dropped() {
            return differences.dropped;
        }

        @Override
        public SortedSet<Consent> consents() {
            return Consent.of(this);
        }

        public String role() {
            return contract.role();
        }

        /** The role has changed since it was applied, but its host already satisfies it. */
        public boolean isOnlyRevised() {
            return change() == Change.UPDATE && differences.isEmpty();
        }

        OfRole closed(Contract filled, String known) {
            return new OfRole(head, stage, host, fresh, filled, known, differences, precondition);
        }
    }

    /**
     * The removal of a role, or a part of it, from a host.
     *
     * @param contract as it was applied, with the actions to undo
     * @param items to remove
     * @param actions to undo, or that stay because they have no undo
     * @param precondition digest of what the probe observed of these items and actions
     */
    record Leave(
            String id,
            List<String> needs,
            String reason,
            String stage,
            String host,
            Contract contract,
            Extent extent,
            List<ItemChange> items,
            List<ActionChange> actions,
            Optional<String> precondition)
            implements Step {
        /** How much of a role is removed. */
        public enum Extent {
            ROLE,
            /** Only undoes actions that the role no longer has. */
            ACTIONS,
            /** The machine is deleted, replaced or restarted: only actions that ask for it are undone. */
            MACHINE
        }

        public Leave {
            PathName.require("stage", stage);
            PathName.require("host", host);
            needs = List.copyOf(needs);
            items = List.copyOf(items);
            actions = List.copyOf(actions);
        }

        Leave withNeeds(Collection<String> others) {
            return new Leave(
                    id, List.copyOf(others), reason, stage, host, contract, extent, items, actions, precondition);
        }

        @Override
        public Change change() {
            return Change.DELETE;
        }

        @Override
        public SortedSet<Consent> consents() {
            return Consent.of(this);
        }

        public boolean machineGoes() {
            return extent == Extent.MACHINE;
        }

        /** The part of the contract that this step changes, and that its precondition covers. */
        public Contract touched() {
            var going = items.stream().map(ItemChange::id).collect(Collectors.toSet());
            return new Contract(
                    contract.role(),
                    host,
                    contract.items().stream()
                            .filter(item -> going.contains(item.id()))
                            .toList(),
                    contract.actions());
        }

        public String role() {
            return contract.role();
        }
    }
}
