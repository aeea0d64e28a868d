package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The family {@code /1.0/storage-pools}, custom volumes in them included. */
final class Pools {
    private final Rest rest;

    Pools(Rest rest) {
        this.rest = rest;
    }

    List<Pool> all() {
        return rest.list(rest.path("storage-pools"), Pool.class);
    }

    Optional<Rest.Etagged<Pool>> find(String name) {
        return rest.find(rest.path("storage-pools", name), Pool.class);
    }

    /** Empty if the pool does not exist, or does not report it. */
    Optional<Pool.Space> space(String name) {
        return rest.find(rest.path("storage-pools", name, "resources"), Pool.Space.class)
                .map(Rest.Etagged::value);
    }

    void create(String name, String driver, Map<String, String> config) {
        rest.send("POST", rest.path("storage-pools"), Map.of("name", name, "driver", driver, "config", config));
    }

    void set(String name, Map<String, String> config) {
        rest.send("PATCH", rest.path("storage-pools", name), Map.of("config", config));
    }

    void delete(String name) {
        rest.delete(rest.path("storage-pools", name));
    }

    /** Empty for a pool that was deleted since the listing: it may belong to another site. */
    List<Volume> volumes(String pool) {
        return rest.findAll(
                rest.path("storage-pools", pool, "volumes", "custom").setQueryParameter("recursion", "1"),
                Volume.class);
    }

    Optional<Rest.Etagged<Volume>> findVolume(String pool, String name) {
        return rest.find(rest.path("storage-pools", pool, "volumes", "custom", name), Volume.class);
    }

    void createVolume(String pool, String name, Map<String, String> config) {
        rest.send(
                "POST",
                rest.path("storage-pools", pool, "volumes", "custom"),
                Map.of("name", name, "type", "custom", "content_type", "filesystem", "config", config));
    }

    /** Sets a few config keys; an empty value removes the key. */
    void setVolume(String pool, String name, Map<String, String> config) {
        rest.send("PATCH", rest.path("storage-pools", pool, "volumes", "custom", name), Map.of("config", config));
    }

    void deleteVolume(String pool, String name) {
        rest.delete(rest.path("storage-pools", pool, "volumes", "custom", name));
    }
}
