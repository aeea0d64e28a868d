package io.deepsite.openstack;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import okhttp3.HttpUrl;
import tools.jackson.databind.JsonNode;

/**
 * Reads a whole collection, over as many pages as the service makes of it. An answer without the collection is refused:
 * taken for an empty list, all of it would be created a second time.
 */
final class Pages {
    private final HttpUrl url;
    private final Function<HttpUrl, Answer> get;

    /** @param get sends a request for a page */
    Pages(HttpUrl url, Function<HttpUrl, Answer> get) {
        this.url = url;
        this.get = get;
    }

    /** @param key of the collection in an answer: {@code servers} */
    List<JsonNode> items(String key) {
        return items(get.apply(url), key);
    }

    /** The first answer, with the items of all pages in it. */
    Answer joined() {
        var first = get.apply(url);
        var key = first.json().properties().stream()
                .filter(entry -> entry.getValue().isArray() && !entry.getKey().endsWith("links"))
                .filter(entry -> entry.getValue().valueStream().allMatch(JsonNode::isObject))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> first.unlike("the service", "no list"));
        return marker(first.json(), key).isEmpty()
                ? first
                : first.with(Json.MAPPER.valueToTree(Map.of(key, items(first, key))));
    }

    private List<JsonNode> items(Answer first, String key) {
        var all = new ArrayList<JsonNode>();
        var markers = new HashSet<String>();
        var answer = first;
        while (true) {
            var page = answer.json();
            if (!page.path(key).isArray()) {
                throw answer.unlike("the service", "no list of " + key);
            }
            page.path(key).forEach(all::add);
            var marker = marker(page, key);
            if (marker.isEmpty()) {
                return all;
            }
            if (!markers.add(marker.get())) {
                throw answer.unlike("the service", "a page of " + key + " again");
            }
            answer = get.apply(
                    url.newBuilder().setQueryParameter("marker", marker.get()).build());
        }
    }

    /** Of the next page; empty on the last one. */
    private static Optional<String> marker(JsonNode page, String key) {
        if (page.path(key).isEmpty()) {
            return Optional.empty();
        }
        for (var link : page.path(key + "_links")) {
            if (link.path("rel").asString("").equals("next")) {
                return query(link.path("href").asString(""));
            }
        }
        // Glance names a path.
        return page.path("next").isString()
                ? query("http://glance" + page.path("next").stringValue())
                : Optional.empty();
    }

    private static Optional<String> query(String href) {
        return Optional.ofNullable(HttpUrl.parse(href)).map(link -> link.queryParameter("marker"));
    }
}
