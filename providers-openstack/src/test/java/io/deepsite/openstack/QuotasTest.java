package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.openstack.Quotas.Usage;
import java.util.Map;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;

class QuotasTest {

    @Test
    void readsLimitsAndUseOfAProjectByARequestOfEachService() {
        try (var recorded = new RecordedCloud().start()) {
            var quotas = Quotas.read(recorded.cloud());

            assertThat(quotas.project()).isEqualTo("lab");
            assertThat(quotas.of())
                    .containsEntry(Quota.INSTANCES, new Usage(60, 0))
                    .containsEntry(Quota.CORES, new Usage(120, 0))
                    .containsEntry(Quota.RAM, new Usage(200_000, 0))
                    .containsEntry(Quota.FLOATING_IPS, new Usage(8, 0))
                    .containsEntry(Quota.SECURITY_GROUP_RULES, new Usage(300, 4))
                    .containsEntry(Quota.ROUTERS, new Usage(10, 1))
                    .doesNotContainKey(Quota.VOLUMES);
            assertThat(recorded.sent())
                    .as("login, Nova's versions, a request each of Nova and Neutron")
                    .hasSize(4);
        }
    }

    @Test
    void countsWhatIsReservedAndLeavesOutWhatIsNotLimited() {
        try (var recorded = new RecordedCloud().start()) {
            recorded.on(
                    "GET /v2.0/quotas/15dd20f7078e4752b1caea5a178f9c9f/details.json",
                    _ -> new MockResponse.Builder().body("""
                                    {"quota": {"port": {"limit": 10, "used": 3, "reserved": 2},
                                               "router": {"limit": -1, "used": 3, "reserved": 0}}}
                                    """).build());

            assertThat(Quotas.read(recorded.cloud()).of())
                    .containsEntry(Quota.PORTS, new Usage(10, 5))
                    .doesNotContainKey(Quota.ROUTERS);
        }
    }

    @Test
    void doesWithoutNeutronsDetails() {
        try (var recorded = new RecordedCloud().start()) {
            recorded.on(
                    "GET /v2.0/quotas/15dd20f7078e4752b1caea5a178f9c9f/details.json",
                    _ -> recorded.answer("neutron-not-found"));

            assertThat(Quotas.read(recorded.cloud()).of())
                    .containsKey(Quota.CORES)
                    .doesNotContainKey(Quota.PORTS);
        }
    }

    @Test
    void tellsEachQuotaThatWouldNotDoAndWhoNeedsIt() {
        var quotas = new Quotas(
                "lab",
                Map.of(Quota.CORES, new Usage(20, 15), Quota.PORTS, new Usage(10, 1), Quota.ROUTERS, new Usage(1, 1)));
        var needs = new Needs();
        needs.add(Quota.CORES, "head", 4);
        needs.add(Quota.CORES, "node", 4);
        needs.add(Quota.CORES, "node", 4);
        needs.add(Quota.PORTS, "node", 9);
        needs.add(Quota.FLOATING_IPS, "head", 1000);
        needs.add(Quota.ROUTERS, "the site itself", 1);

        assertThat(needs.faults(quotas))
                .extracting(fault -> fault.why())
                .containsExactly(
                        "The project lab may have 20 cores and has 15. The site needs 12 more (head 4, node 8), 7 too many.",
                        "The project lab may have 1 routers and has 1. The site needs 1 more (the site itself 1), 1 too many.");
    }
}
