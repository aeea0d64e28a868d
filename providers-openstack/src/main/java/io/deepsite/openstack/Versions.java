package io.deepsite.openstack;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The microversions that a service accepts. */
record Versions(Microversion least, Microversion most) {

    /**
     * A service without microversions accepts its first only.
     *
     * @param answer of the root of its API
     */
    static Versions of(Service service, JsonNode answer) {
        var version = answer.path("version");
        if (version.isMissingNode()) {
            version = newest(answer.path("versions"));
        }
        var most = microversion(version, "version").or(() -> microversion(version(answer), "max_version"));
        var least = microversion(version, "min_version");
        var first = new Microversion(service == Service.VOLUME ? 3 : service == Service.COMPUTE ? 2 : 1, 1);
        return new Versions(least.orElse(first), most.orElse(least.orElse(first)));
    }

    boolean takes(Microversion version) {
        return version.compareTo(least) >= 0 && version.compareTo(most) <= 0;
    }

    /** The newest that both sides accept. */
    Optional<Microversion> upTo(Microversion known) {
        var best = known.compareTo(most) < 0 ? known : most;
        return best.compareTo(least) < 0 ? Optional.empty() : Optional.of(best);
    }

    private static JsonNode version(JsonNode answer) {
        return newest(answer.path("versions"));
    }

    private static JsonNode newest(JsonNode versions) {
        return versions.isEmpty() ? versions : versions.get(versions.size() - 1);
    }

    private static Optional<Microversion> microversion(JsonNode version, String key) {
        var text = version.path(key).asString("");
        return text.matches("[0-9]+\\.[0-9]+") ? Optional.of(Microversion.parse(text)) : Optional.empty();
    }
}
