package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One background operation of LXD.
 *
 * @param statusCode 200 succeeded, 400 failed, 401 cancelled, 1xx under way
 * @param resources paths of what it works on, by family
 * @param metadata details; keys that end with {@code progress} hold text for people
 */
record Operation(
        String id,
        String description,
        int statusCode,
        Map<String, List<String>> resources,
        Map<String, Object> metadata,
        boolean mayCancel,
        String err) {

    Operation(
            String id,
            String description,
            int statusCode,
            @Nullable Map<String, List<String>> resources,
            @Nullable Map<String, Object> metadata,
            boolean mayCancel,
            String err) {
        this.id = id;
        this.description = description;
        this.statusCode = statusCode;
        this.resources = resources == null ? Map.of() : resources;
        this.metadata = metadata == null ? Map.of() : metadata;
        this.mayCancel = mayCancel;
        this.err = err;
    }

    boolean isOver() {
        return statusCode >= 200;
    }

    boolean succeeded() {
        return statusCode == 200;
    }

    boolean concerns(String path) {
        return resources.values().stream().anyMatch(paths -> paths.contains(path));
    }

    /** Empty without progress. */
    String progress() {
        return metadata.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("progress"))
                .map(entry -> String.valueOf(entry.getValue()))
                .filter(text -> !text.isBlank())
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
