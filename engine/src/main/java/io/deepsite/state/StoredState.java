package io.deepsite.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A {@link SiteState} as it stands in its file: without the parts, so that its keys are sorted as a whole. */
record StoredState(
        int formatVersion,
        long serial,
        String lineage,
        String site,
        String toolVersion,
        @Nullable RecordedProvider provider,
        SortedMap<String, RecordedResource> resources,
        SortedMap<String, RecordedHost> hosts,
        SortedMap<String, String> images,
        SortedMap<String, String> secrets,
        SortedMap<String, String> parameters,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) SortedMap<String, RecordedUser> users,
        @Nullable RecordedLease lease,
        @Nullable RecordedVerify verify,
        @Nullable RecordedApply apply,
        @Nullable String firstRunOf) {

    /** Refuses what a state cannot lack here, where Jackson reports it with its place in the file. */
    StoredState {
        Objects.requireNonNull(lineage, "lineage");
        Objects.requireNonNull(site, "site");
        Objects.requireNonNull(toolVersion, "toolVersion");
        resources = Sorted.copyOf(resources);
        hosts = Sorted.copyOf(hosts);
        images = Sorted.copyOf(images);
        secrets = Sorted.copyOf(secrets);
        parameters = Sorted.copyOf(parameters);
        // States of 0.1.0 have none.
        users = users == null ? Sorted.copyOf(Map.of()) : Sorted.copyOf(users);
    }

    static StoredState of(SiteState state) {
        return new StoredState(
                state.header().formatVersion(),
                state.serial(),
                state.lineage(),
                state.site(),
                state.toolVersion(),
                state.provider(),
                state.resources(),
                state.hosts(),
                state.images(),
                state.secrets(),
                state.parameters(),
                state.users(),
                state.lease(),
                state.verify(),
                state.apply(),
                state.firstRunOf());
    }

    SiteState state() {
        return new SiteState(
                new SiteState.Header(formatVersion, serial, lineage, site, toolVersion),
                new SiteState.Assets(provider, resources, hosts, images, secrets, parameters, users),
                lease,
                new SiteState.History(verify, apply, firstRunOf));
    }
}
