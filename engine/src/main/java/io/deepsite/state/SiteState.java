package io.deepsite.state;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What deepsite recorded of one site: everything that {@code destroy} and {@code drift} need without site.yaml. Holds no
 * secret, only fingerprints of them. Immutable; {@link StateStore#write} is what counts the serial up.
 *
 * @param lease null when the site does not end by itself
 */
public record SiteState(
        Header header, Assets assets, @Nullable RecordedLease lease, History history) {

    /** The format this version writes. Each older one is readable and has a golden pair in the tests. */
    public static final int FORMAT_VERSION = 1;

    /**
     * Identity and version of this state.
     *
     * @param serial how often this state was written; 0 before the first time
     * @param lineage made once per site: two states with different ones have nothing to do with each other
     * @param toolVersion the deepsite that wrote it
     */
    public record Header(int formatVersion, long serial, String lineage, String site, String toolVersion) {
        public Header {
            Objects.requireNonNull(lineage, "lineage");
            Objects.requireNonNull(site, "site");
            Objects.requireNonNull(toolVersion, "toolVersion");
        }
    }

    /**
     * What is there, and of what it was made.
     *
     * @param provider null until a provider was used, and when it holds nothing any more
     * @param resources by the stable id that the provider compiled
     * @param hosts by machine name
     * @param images alias to the fingerprint that it was resolved to
     * @param secrets name to HMAC, see {@link SecretStore#fingerprints}
     * @param parameters the values that {@code --set} gave or site.yaml had
     * @param users by login name, everybody whom an import ever brought
     */
    public record Assets(
            @Nullable RecordedProvider provider,
            SortedMap<String, RecordedResource> resources,
            SortedMap<String, RecordedHost> hosts,
            SortedMap<String, String> images,
            SortedMap<String, String> secrets,
            SortedMap<String, String> parameters,
            SortedMap<String, RecordedUser> users) {
        static final Assets EMPTY = new Assets(
                null,
                Sorted.copyOf(Map.of()),
                Sorted.copyOf(Map.of()),
                Sorted.copyOf(Map.of()),
                Sorted.copyOf(Map.of()),
                Sorted.copyOf(Map.of()),
                Sorted.copyOf(Map.of()));

        public Assets {
            resources = Sorted.copyOf(resources);
            hosts = Sorted.copyOf(hosts);
            images = Sorted.copyOf(images);
            secrets = Sorted.copyOf(secrets);
            parameters = Sorted.copyOf(parameters);
            users = Sorted.copyOf(users);
        }

        private Assets withResources(SortedMap<String, RecordedResource> next) {
            return new Assets(provider, next, hosts, images, secrets, parameters, users);
        }

        private Assets withHosts(SortedMap<String, RecordedHost> next) {
            return new Assets(provider, resources, next, images, secrets, parameters, users);
        }
    }

    /**
     * What was done with the site.
     *
     * @param verify the last acceptance; null before the first
     * @param apply the last run of apply, also a failed one; null before the first
     * @param firstRunOf the site.yaml whose proof created this site, and may destroy it; null if a person applied it
     */
    public record History(
            @Nullable RecordedVerify verify,
            @Nullable RecordedApply apply,
            @Nullable String firstRunOf) {}

    /** The state of a site that deepsite never touched. */
    public static SiteState fresh(String site, String toolVersion) {
        return new SiteState(
                new Header(FORMAT_VERSION, 0, UUID.randomUUID().toString(), site, toolVersion),
                Assets.EMPTY,
                null,
                new History(null, null, null));
    }

    public long serial() {
        return header.serial;
    }

    public String lineage() {
        return header.lineage;
    }

    public String site() {
        return header.site;
    }

    public String toolVersion() {
        return header.toolVersion;
    }

    public @Nullable RecordedProvider provider() {
        return assets.provider;
    }

    public SortedMap<String, RecordedResource> resources() {
        return assets.resources;
    }

    public SortedMap<String, RecordedHost> hosts() {
        return assets.hosts;
    }

    public SortedMap<String, String> images() {
        return assets.images;
    }

    public SortedMap<String, String> secrets() {
        return assets.secrets;
    }

    public SortedMap<String, String> parameters() {
        return assets.parameters;
    }

    public SortedMap<String, RecordedUser> users() {
        return assets.users;
    }

    public @Nullable RecordedVerify verify() {
        return history.verify;
    }

    public @Nullable RecordedApply apply() {
        return history.apply;
    }

    public @Nullable String firstRunOf() {
        return history.firstRunOf;
    }

    public SiteState withProvider(@Nullable RecordedProvider next) {
        return with(new Assets(next, resources(), hosts(), images(), secrets(), parameters(), users()));
    }

    /** Adds or replaces. */
    public SiteState withResource(String id, RecordedResource resource) {
        return with(assets.withResources(Sorted.with(resources(), id, resource)));
    }

    public SiteState withoutResource(String id) {
        return with(assets.withResources(Sorted.without(resources(), id)));
    }

    /** Adds or replaces. */
    public SiteState withHost(String name, RecordedHost host) {
        return with(assets.withHosts(Sorted.with(hosts(), name, host)));
    }

    public SiteState withoutHost(String name) {
        return with(assets.withHosts(Sorted.without(hosts(), name)));
    }

    public SiteState withSecrets(Map<String, String> next) {
        return with(new Assets(provider(), resources(), hosts(), images(), Sorted.copyOf(next), parameters(), users()));
    }

    public SiteState withParameters(Map<String, String> next) {
        return with(new Assets(provider(), resources(), hosts(), images(), secrets(), Sorted.copyOf(next), users()));
    }

    public SiteState withUsers(Map<String, RecordedUser> next) {
        return with(
                new Assets(provider(), resources(), hosts(), images(), secrets(), parameters(), Sorted.copyOf(next)));
    }

    public SiteState withLease(@Nullable RecordedLease next) {
        return new SiteState(header, assets, next, history);
    }

    public SiteState withVerify(@Nullable RecordedVerify next) {
        return with(new History(next, apply(), firstRunOf()));
    }

    public SiteState withApply(RecordedApply next) {
        return with(new History(verify(), next, firstRunOf()));
    }

    public SiteState withFirstRunOf(@Nullable String next) {
        return with(new History(verify(), apply(), next));
    }

    public SiteState withToolVersion(String next) {
        return with(new Header(header.formatVersion, serial(), lineage(), site(), next));
    }

    /** For a state rebuilt from resource tags. */
    public SiteState withLineage(String next) {
        return with(new Header(header.formatVersion, serial(), next, site(), toolVersion()));
    }

    /** For another store, which counts its own writes. */
    public SiteState asNew() {
        return withSerial(0);
    }

    /** For stores, which count. */
    public SiteState withSerial(long next) {
        return with(new Header(header.formatVersion, next, lineage(), site(), toolVersion()));
    }

    /** Whether nothing that deepsite made is left. */
    public boolean isEmpty() {
        return resources().isEmpty() && hosts().isEmpty();
    }

    private SiteState with(Header next) {
        return new SiteState(next, assets, lease, history);
    }

    private SiteState with(Assets next) {
        return new SiteState(header, next, lease, history);
    }

    private SiteState with(History next) {
        return new SiteState(header, assets, lease, next);
    }
}
