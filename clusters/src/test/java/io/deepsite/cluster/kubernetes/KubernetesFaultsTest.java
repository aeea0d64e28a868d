package io.deepsite.cluster.kubernetes;

import static io.deepsite.diag.FaultMessage.assertReads;

import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Faults that depend on the machines, or on files beside the site. */
class KubernetesFaultsTest {
    private static final List<Machine> MACHINES = KubernetesSite.machines(1, 3, true);

    @Test
    void aMachineInsideTheRangeOfPods() {
        var site = KubernetesSite.site("1.29.3", 1, "network: {pods: 10.64.0.0/16}");

        assertReads("kubernetes/DS1227-machine-among-pods", () -> layout(site));
    }

    /** An inventory decides how many hosts a group has. */
    @Test
    void aControlPlaneOfTwoHosts() {
        var site = KubernetesSite.site("1.29.3", 1, "");

        assertReads("kubernetes/DS1226-two-hosts", () -> layout(site, KubernetesSite.machines(2, 1, false)));
    }

    @Test
    void aControlPlaneOfThreeHostsWithoutOneAddress() {
        var site = KubernetesSite.site("1.29.3", 1, "");

        assertReads("kubernetes/DS1233-three-hosts", () -> layout(site, KubernetesSite.machines(3, 1, false)));
    }

    @Test
    void moreHostsThanRangesOfPods() {
        var site = KubernetesSite.site("1.29.3", 1, "network: {pods: 10.244.0.0/22}");

        assertReads(
                "kubernetes/DS1225-more-hosts-than-ranges", () -> layout(site, KubernetesSite.machines(1, 4, false)));
    }

    @Test
    void twoMachinesThatLeadToTheSameRangeOfPods() {
        var site = KubernetesSite.site("1.29.3", 1, "network: {pods: 10.244.0.0/22, plugin: bridge}");

        assertReads("kubernetes/DS1225-same-range", () -> {
            var layout = layout(site);
            layout.network(layout.first());
        });
    }

    @Test
    void aVirtualAddressThatAMachineHas() {
        var site = KubernetesSite.site("1.29.3", 1, "endpoint: {virtualAddress: 10.64.0.21}");

        assertReads("kubernetes/DS1221-virtual-address-of-a-machine", () -> layout(site));
    }

    @Test
    void aCertificateThatIsNotThere() {
        var site = KubernetesSite.site(
                "1.29.3",
                1,
                "oidc: {issuer: \"https://iam.example.org\", clientId: kubernetes, caFile: /nowhere/lab-ca.crt}");

        assertReads("kubernetes/DS1002-authority-of-the-identity-provider", () -> layout(site));
    }

    @Test
    void aLoginWithoutAnIdentityProvider() {
        var site = KubernetesSite.site("1.29.3", 1, "");

        assertReads(
                "kubernetes/DS8004-no-identity-provider", () -> layout(site).kubeconfig(site, Optional.empty(), true));
    }

    private static KubernetesLayout layout(Site site) {
        return layout(site, MACHINES);
    }

    private static KubernetesLayout layout(Site site, List<Machine> machines) {
        return new KubernetesLayout(site, KubernetesSite.NAME, KubernetesSite.cluster(site), machines);
    }
}
