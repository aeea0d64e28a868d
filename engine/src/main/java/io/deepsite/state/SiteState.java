package io.deepsite.state;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What deepsite recorded of one site: everything that {@code destroy} and {@code drift} need without site.yaml. Holds
 * no secret, only fingerprints of them. Immutable; only {@link StateStore#write} increments the serial.
 *
 * @param serial how often this state was written; 0 before the first time
 * @param lineage created once per site: states of different lineages are unrelated
 * @param toolVersion the deepsite that wrote it
 * @param provider null before a provider is used, and when none of its resources is left
 * @param resources by the stable id that the provider compiled
 * @param hosts by machine name
 * @param images alias to the fingerprint that it was resolved to
 * @param secrets name to HMAC, see {@link SecretStore#fingerprints}
 * @param parameters the values from {@code --set} or site.yaml
 * @param lease null if the site does not expire
 * @param verify the last acceptance; null before the first
 * @param apply the last run of apply, also a failed one; null before the first
 * @param firstRunOf the site.yaml whose smoke test created this site, and may destroy it; null if a person applied it
 */
public record SiteState(
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
        @Nullable RecordedLease lease,
        @Nullable RecordedVerify verify,
        @Nullable RecordedApply apply,
        @Nullable String firstRunOf) {

    /** The format this version writes. Each older one is readable and has a golden pair in the tests. */
    public static final int FORMAT_VERSION = 1;

    public SiteState {
        Objects.requireNonNull(lineage, "lineage");
        Objects.requireNonNull(site, "site");
        Objects.requireNonNull(toolVersion, "toolVersion");
        resources = Sorted.copyOf(resources);
        hosts = Sorted.copyOf(hosts);
        images = Sorted.copyOf(images);
        secrets = Sorted.copyOf(secrets);
        parameters = Sorted.copyOf(parameters);
    }

    /** The state of a site before deepsite's first run. */
    public static SiteState fresh(String site, String toolVersion) {
        var none = Sorted.<String>copyOf(Map.of());
        return new SiteState(
                FORMAT_VERSION,
                0,
                UUID.randomUUID().toString(),
                site,
                toolVersion,
                null,
                Sorted.copyOf(Map.of()),
                Sorted.copyOf(Map.of()),
                none,
                none,
                none,
                null,
                null,
                null,
                null);
    }

    public SiteState withProvider(@Nullable RecordedProvider next) {
        return with(draft -> draft.provider = next);
    }

    /** Adds or replaces. */
    public SiteState withResource(String id, RecordedResource resource) {
        return with(draft -> draft.resources = Sorted.with(resources, id, resource));
    }

    public SiteState withoutResource(String id) {
        return with(draft -> draft.resources = Sorted.without(resources, id));
    }

    /** Adds or replaces. */
    public SiteState withHost(String name, RecordedHost host) {
        return with(draft -> draft.hosts = Sorted.with(hosts, name, host));
    }

    public SiteState withoutHost(String name) {
        return with(draft -> draft.hosts = Sorted.without(hosts, name));
    }

    public SiteState withSecrets(Map<String, String> next) {
        return with(draft -> draft.secrets = Sorted.copyOf(next));
    }

    public SiteState withParameters(Map<String, String> next) {
        return with(draft -> draft.parameters = Sorted.copyOf(next));
    }

    public SiteState withLease(@Nullable RecordedLease next) {
        return with(draft -> draft.lease = next);
    }

    public SiteState withVerify(@Nullable RecordedVerify next) {
        return with(draft -> draft.verify = next);
    }

    public SiteState withApply(RecordedApply next) {
        return with(draft -> draft.apply = next);
    }

    public SiteState withFirstRunOf(@Nullable String next) {
        return with(draft -> draft.firstRunOf = next);
    }

    public SiteState withToolVersion(String next) {
        return with(draft -> draft.toolVersion = next);
    }

    /** For a state rebuilt from resource tags. */
    public SiteState withLineage(String next) {
        return new SiteState(
                formatVersion,
                serial,
                next,
                site,
                toolVersion,
                provider,
                resources,
                hosts,
                images,
                secrets,
                parameters,
                lease,
                verify,
                apply,
                firstRunOf);
    }

    /** Whether nothing that deepsite made is left. */
    public boolean isEmpty() {
        return resources.isEmpty() && hosts.isEmpty();
    }

    SiteState withSerial(long next) {
        return with(draft -> draft.serial = next);
    }

    private SiteState with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.done();
    }

    /** Mutable copy for one change: fifteen components are too many to repeat in every wither. */
    private static final class Draft {
        private final SiteState base;
        private long serial;
        private String toolVersion;
        private @Nullable RecordedProvider provider;
        private SortedMap<String, RecordedResource> resources;
        private SortedMap<String, RecordedHost> hosts;
        private SortedMap<String, String> images;
        private SortedMap<String, String> secrets;
        private SortedMap<String, String> parameters;
        private @Nullable RecordedLease lease;
        private @Nullable RecordedVerify verify;
        private @Nullable RecordedApply apply;
        private @Nullable String firstRunOf;

        Draft(SiteState base) {
            this.base = base;
            this.serial = base.serial;
            this.toolVersion = base.toolVersion;
            this.provider = base.provider;
            this.resources = base.resources;
            this.hosts = base.hosts;
            this.images = base.images;
            this.secrets = base.secrets;
            this.parameters = base.parameters;
            this.lease = base.lease;
            this.verify = base.verify;
            this.apply = base.apply;
            this.firstRunOf = base.firstRunOf;
        }

        SiteState done() {
            return new SiteState(
                    base.formatVersion,
                    serial,
                    base.lineage,
                    base.site,
                    toolVersion,
                    provider,
                    resources,
                    hosts,
                    images,
                    secrets,
                    parameters,
                    lease,
                    verify,
                    apply,
                    firstRunOf);
        }
    }
}
