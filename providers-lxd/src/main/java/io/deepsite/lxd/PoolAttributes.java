package io.deepsite.lxd;

import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.site.ProviderSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The attributes of a storage pool: {@code driver}, and {@code size} of its loop file or its {@code device}. */
final class PoolAttributes {
    static final String KIND = "pool";
    static final String DRIVER = "driver";
    static final String SIZE = "size";
    static final String DEVICE = "device";
    static final String SOURCE = "source";

    /** A pool of it has no size: it grows with the cluster. */
    private static final String CEPH = "ceph";

    /** What the site asked to make it in: LXD writes a source of its own where none was given, which looks the same. */
    private static final String ASKED_KEY = "user.deepsite.source";

    private PoolAttributes() {}

    static SortedMap<String, Attribute> desired(ProviderSettings.LxdPool pool) {
        var attributes = new TreeMap<String, Attribute>();
        attributes.put(DRIVER, new Attribute(pool.driver(), Mutability.REPLACE));
        if (pool.device().isPresent()) {
            attributes.put(DEVICE, new Attribute(pool.device().get(), Mutability.REPLACE));
        } else if (pool.source().isPresent()) {
            attributes.put(SOURCE, new Attribute(pool.source().get(), Mutability.REPLACE));
        } else if (!pool.driver().equals(CEPH)) {
            attributes.put(SIZE, new Attribute(pool.size().toString(), Mutability.REPLACE));
        }
        return attributes;
    }

    static SortedMap<String, String> observed(Pool pool) {
        var seen = new TreeMap<>(Map.of(DRIVER, pool.driver()));
        // LXD replaces the name of a block device by what it found on it, and keeps what it was given here.
        var source = pool.config()
                .getOrDefault("volatile.initial_source", pool.config().getOrDefault("source", ""));
        if (source.startsWith("/dev/")) {
            seen.put(DEVICE, source);
        } else if (pool.config().containsKey(ASKED_KEY)) {
            seen.put(SOURCE, pool.config().get(ASKED_KEY));
        } else if (pool.config().containsKey("size")) {
            seen.put(SIZE, MachineAttributes.size(pool.config().get("size")));
        }
        return seen;
    }

    static Map<String, String> config(Resource pool) {
        var config = new LinkedHashMap<String, String>();
        var values = pool.values();
        if (values.containsKey(DEVICE)) {
            config.put("source", values.get(DEVICE));
        }
        if (values.containsKey(SOURCE)) {
            config.put("source", values.get(SOURCE));
            config.put(ASKED_KEY, values.get(SOURCE));
        }
        if (values.containsKey(SIZE)) {
            config.put("size", values.get(SIZE));
        }
        return config;
    }
}
