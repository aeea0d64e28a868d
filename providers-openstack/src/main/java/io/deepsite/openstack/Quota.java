package io.deepsite.openstack;

/** The limits of a project that a site can reach. */
enum Quota {
    INSTANCES("servers", Service.COMPUTE, "maxTotalInstances", "totalInstancesUsed"),
    CORES("cores", Service.COMPUTE, "maxTotalCores", "totalCoresUsed"),
    RAM("MiB of memory", Service.COMPUTE, "maxTotalRAMSize", "totalRAMUsed"),
    SERVER_GROUPS("server groups", Service.COMPUTE, "maxServerGroups", "totalServerGroupsUsed"),
    VOLUMES("volumes", Service.VOLUME, "maxTotalVolumes", "totalVolumesUsed"),
    GIGABYTES("GiB of volumes", Service.VOLUME, "maxTotalVolumeGigabytes", "totalGigabytesUsed"),
    NETWORKS("networks", Service.NETWORK, "network", ""),
    SUBNETS("subnets", Service.NETWORK, "subnet", ""),
    ROUTERS("routers", Service.NETWORK, "router", ""),
    PORTS("ports", Service.NETWORK, "port", ""),
    FLOATING_IPS("floating IPs", Service.NETWORK, "floatingip", ""),
    SECURITY_GROUPS("security groups", Service.NETWORK, "security_group", ""),
    SECURITY_GROUP_RULES("rules of security groups", Service.NETWORK, "security_group_rule", "");

    private final String words;
    private final Service service;
    private final String limitKey;
    private final String usedKey;

    /** @param usedKey empty if the object under {@code limitKey} has both */
    Quota(String words, Service service, String limitKey, String usedKey) {
        this.words = words;
        this.service = service;
        this.limitKey = limitKey;
        this.usedKey = usedKey;
    }

    String words() {
        return words;
    }

    Service service() {
        return service;
    }

    String limitKey() {
        return limitKey;
    }

    String usedKey() {
        return usedKey;
    }
}
