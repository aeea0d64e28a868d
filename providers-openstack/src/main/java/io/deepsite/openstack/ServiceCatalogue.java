package io.deepsite.openstack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The services of a cloud, as a token names them. */
record ServiceCatalogue(List<Entry> entries) {

    /** @param facing public, internal or admin */
    record Entry(String type, String facing, String region, String url) {}

    ServiceCatalogue {
        entries = List.copyOf(entries);
    }

    static ServiceCatalogue of(JsonNode token) {
        var entries = new ArrayList<Entry>();
        for (var service : token.path("catalog")) {
            for (var endpoint : service.path("endpoints")) {
                var region = endpoint.path("region_id")
                        .asString(endpoint.path("region").asString(""));
                entries.add(new Entry(
                        service.path("type").asString(""),
                        endpoint.path("interface").asString(""),
                        region,
                        endpoint.path("url").asString("")));
            }
        }
        return new ServiceCatalogue(entries);
    }

    SortedSet<String> regions() {
        var regions = new TreeSet<String>();
        entries.forEach(entry -> regions.add(entry.region()));
        return regions;
    }

    SortedSet<String> types(String region) {
        var types = new TreeSet<String>();
        entries.stream().filter(entry -> entry.region().equals(region)).forEach(entry -> types.add(entry.type()));
        return types;
    }

    Optional<String> url(Service service, String facing, String region) {
        for (var type : service.types()) {
            var found = entries.stream()
                    .filter(entry -> entry.type().equals(type)
                            && entry.facing().equals(facing)
                            && entry.region().equals(region)
                            && !entry.url().isEmpty())
                    .findFirst();
            if (found.isPresent()) {
                return found.map(Entry::url);
            }
        }
        return Optional.empty();
    }

    /** How the service can be reached in the region. */
    SortedSet<String> facings(Service service, String region) {
        var facings = new TreeSet<String>();
        entries.stream()
                .filter(entry ->
                        service.types().contains(entry.type()) && entry.region().equals(region))
                .forEach(entry -> facings.add(entry.facing()));
        return facings;
    }
}
