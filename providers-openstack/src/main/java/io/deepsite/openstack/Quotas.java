package io.deepsite.openstack;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * What a project may have and has, as the services answer.
 *
 * @param project its name
 * @param of only what is limited
 */
record Quotas(String project, Map<Quota, Usage> of) {

    /** @param used including what is reserved for calls in progress */
    record Usage(long limit, long used) {
        long left() {
            return Math.max(0, limit - used);
        }
    }

    Quotas {
        of = Map.copyOf(of);
    }

    /** Asks the services that the cloud offers: three requests. */
    static Quotas read(Cloud cloud) {
        var quotas = new EnumMap<Quota, Usage>(Quota.class);
        absolute(cloud, Service.COMPUTE, quotas);
        if (cloud.offers(Service.VOLUME)) {
            absolute(cloud, Service.VOLUME, quotas);
        }
        var network = cloud.rest(Service.NETWORK).find("/quotas/" + cloud.projectId() + "/details.json");
        // Without its extension quota_details Neutron does not say what is in use; it then refuses what is too much.
        network.ifPresent(answer -> each(Service.NETWORK, quota -> {
            var detail = answer.path("quota").path(quota.limitKey());
            var used = detail.path("used").asLong(0) + detail.path("reserved").asLong(0);
            usage(detail.path("limit"), used).ifPresent(usage -> quotas.put(quota, usage));
        }));
        return new Quotas(cloud.projectName(), quotas);
    }

    private static void absolute(Cloud cloud, Service service, Map<Quota, Usage> quotas) {
        var absolute = cloud.rest(service).get("/limits").path("limits").path("absolute");
        each(
                service,
                quota -> usage(
                                absolute.path(quota.limitKey()),
                                absolute.path(quota.usedKey()).asLong(0))
                        .ifPresent(usage -> quotas.put(quota, usage)));
    }

    private static void each(Service service, Consumer<Quota> read) {
        for (var quota : Quota.values()) {
            if (quota.service() == service) {
                read.accept(quota);
            }
        }
    }

    /** A negative limit is no limit. */
    private static Optional<Usage> usage(JsonNode limit, long used) {
        return limit.isNumber() && limit.asLong() >= 0
                ? Optional.of(new Usage(limit.asLong(), used))
                : Optional.empty();
    }
}
