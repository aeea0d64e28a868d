package io.deepsite.service.sites;

import io.deepsite.diag.FaultMessage;
import org.junit.jupiter.api.Test;

class SharedControlNodesTest {
    @Test
    void saysWhoShowsNoLife() {
        FaultMessage.assertReads("ansible/DS3112-control-node-lost", () -> {
            throw SharedControlNodes.lost(25, "replica-2 4711 k3j9 has said nothing for 60 s.");
        });
    }
}
