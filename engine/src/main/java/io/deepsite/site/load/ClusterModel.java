package io.deepsite.site.load;

import io.deepsite.site.Cluster;
import io.deepsite.site.Name;

/** What reading site.yaml takes from a kind of cluster. */
public interface ClusterModel<C extends Cluster> {
    /** The value of the key {@code kind}. */
    String name();

    /** A record whose components are the keys, each with {@link io.deepsite.site.Key}. */
    Class<C> model();

    /**
     * What {@code init} writes for it: the key {@code clusters} with one cluster on the machine groups head and node. Read
     * from {@code <name>.yaml} beside the class.
     */
    default String template() {
        return SiteTemplate.resource(getClass(), name());
    }

    /** Adds what is wrong with one cluster, beyond what its keys say by themselves, to the findings of the context. */
    void check(CheckContext context, Name name, C cluster);
}
