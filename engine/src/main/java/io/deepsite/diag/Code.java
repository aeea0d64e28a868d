package io.deepsite.diag;

/**
 * Every diagnostic deepsite can give: its number never changes meaning, its summary holds no user data, so that people
 * learn to recognise it. Ranges: 10xx reading YAML, 11xx values, 12xx the meaning of a site, 20xx providers, 21xx LXD,
 * 22xx static hosts, 23xx OpenStack and 24xx OpenNebula (up to 2319 and 2419 the connection, from 2320 and 2420 what is
 * made there), 30xx hosts and SSH, 31xx Ansible, 32xx what roles found on a host, 40xx plan, 41xx state and lock, 42xx
 * secrets, 50xx templates and contracts, 60xx verify, 70xx lease, 80xx command line, 90xx internal.
 */
public enum Code {
    // 10xx reading YAML
    SYNTAX(1001, "the file is not valid YAML", ExitCode.INVALID_INPUT),
    FILE_UNREADABLE(1002, "the file cannot be read", ExitCode.INVALID_INPUT),
    FILE_TOO_LARGE(1003, "the file is too large", ExitCode.INVALID_INPUT),
    NOT_UTF8(1004, "the file is not UTF-8 text", ExitCode.INVALID_INPUT),
    SEVERAL_DOCUMENTS(1005, "the file holds more than one document", ExitCode.INVALID_INPUT),
    EMPTY_FILE(1006, "the file holds no site", ExitCode.INVALID_INPUT),
    TOO_COMPLEX(1007, "the file nests or repeats too much", ExitCode.INVALID_INPUT),
    DUPLICATE_KEY(1008, "a key stands twice", ExitCode.INVALID_INPUT),
    UNKNOWN_KEY(1009, "unknown key", ExitCode.INVALID_INPUT),
    MISSING_KEY(1010, "a key is missing", ExitCode.INVALID_INPUT),
    NO_VALUE(1011, "a key has no value", ExitCode.INVALID_INPUT),
    CONTROL_CHARACTER(1012, "a control character", ExitCode.INVALID_INPUT),
    YAML_FEATURE(1013, "site.yaml does not use this part of YAML", ExitCode.INVALID_INPUT),
    API_VERSION(1014, "unknown apiVersion", ExitCode.INVALID_INPUT),
    NOT_ENFORCED(1015, "not enforced by this version", ExitCode.INVALID_INPUT),
    MORE_FAULTS(1016, "there are more faults", ExitCode.INVALID_INPUT),

    // 11xx values and their types
    WRONG_TYPE(1101, "a value of the wrong type", ExitCode.INVALID_INPUT),
    NOT_INTEGER(1102, "not a whole number", ExitCode.INVALID_INPUT),
    NOT_BOOLEAN(1103, "neither true nor false", ExitCode.INVALID_INPUT),
    NOT_SIZE(1104, "not a size", ExitCode.INVALID_INPUT),
    NOT_TIME(1105, "not a time", ExitCode.INVALID_INPUT),
    OUT_OF_RANGE(1106, "a number out of range", ExitCode.INVALID_INPUT),
    NOT_NAME(1107, "not a name", ExitCode.INVALID_INPUT),
    NOT_IMAGE(1108, "not the name of an image", ExitCode.INVALID_INPUT),
    NOT_PCI_ADDRESS(1109, "not a PCI address", ExitCode.INVALID_INPUT),
    NOT_ACCEPTED(1110, "not an accepted value", ExitCode.INVALID_INPUT),
    UNKNOWN_KIND(1111, "unknown kind", ExitCode.INVALID_INPUT),
    NOT_ONE_PROVIDER(1112, "a site has exactly one provider", ExitCode.INVALID_INPUT),
    UNKNOWN_PARAMETER(1113, "unknown parameter", ExitCode.INVALID_INPUT),
    UNSET_PARAMETER(1114, "a parameter is not set", ExitCode.INVALID_INPUT),
    PARAMETER_TYPE(1115, "a parameter's value has the wrong type", ExitCode.INVALID_INPUT),
    PARTIAL_PARAMETER(1116, "a parameter is part of a longer value", ExitCode.INVALID_INPUT),
    NOT_SSH_KEY(1117, "not an SSH public key", ExitCode.INVALID_INPUT),
    NO_ENTRY(1118, "at least one entry is needed", ExitCode.INVALID_INPUT),
    DUPLICATE_ENTRY(1119, "an entry stands twice", ExitCode.INVALID_INPUT),
    NOT_ADDRESS(1120, "not an address", ExitCode.INVALID_INPUT),
    NOT_RANGE(1121, "not a range of addresses", ExitCode.INVALID_INPUT),

    // 12xx the meaning of a site
    NO_SUCH_GROUP(1201, "no such machine group", ExitCode.INVALID_INPUT),
    CONTROLLER_COUNT(1202, "a controller is exactly one machine", ExitCode.INVALID_INPUT),
    DUPLICATE_UID(1203, "two users have the same uid", ExitCode.INVALID_INPUT),
    NOT_IN_CLUSTER(1204, "a partition names a group that is not in its cluster", ExitCode.INVALID_INPUT),
    SEVERAL_DEFAULTS(1205, "more than one default partition", ExitCode.INVALID_INPUT),
    WRONG_ORDER(1206, "a limit is below what it limits", ExitCode.INVALID_INPUT),
    NAME_TOO_LONG(1207, "a name is too long", ExitCode.INVALID_INPUT),
    MACHINE_NAME_TWICE(1208, "two machines would have the same name", ExitCode.INVALID_INPUT),
    USER_AND_GROUP(1209, "a user and a group have the same name", ExitCode.INVALID_INPUT),
    RESERVED_NAME(1210, "a name that the system uses itself", ExitCode.INVALID_INPUT),
    IMAGE_NEEDED(1211, "a machine group needs an image", ExitCode.INVALID_INPUT),
    NO_EFFECT(1212, "a key has no effect here", ExitCode.INVALID_INPUT),
    PCI_OF_MANY(1213, "exact cards for more than one machine", ExitCode.INVALID_INPUT),
    CARD_TWICE(1214, "one card is given twice", ExitCode.INVALID_INPUT),
    GROUP_TWICE(1215, "a group has two roles that exclude each other", ExitCode.INVALID_INPUT),
    NO_COMPUTE(1216, "a cluster without a machine to compute on", ExitCode.INVALID_INPUT),
    NO_SUCH_USER_GROUP(1217, "no user is in this group", ExitCode.INVALID_INPUT),
    CERTIFICATE_NEEDED(1218, "an https endpoint needs certificates", ExitCode.INVALID_INPUT),
    MIXED_RELEASES(1219, "a cluster of different releases", ExitCode.INVALID_INPUT),
    NOT_WITH_PROVIDER(1220, "this provider cannot do it", ExitCode.INVALID_INPUT),
    ADDRESS_UNUSABLE(1221, "an address that a machine cannot have", ExitCode.INVALID_INPUT),
    EXTERNAL_NETWORK_NEEDED(1222, "an external network is needed", ExitCode.INVALID_INPUT),
    IMAGE_UNCLEAR(1223, "where an image comes from is not clear", ExitCode.INVALID_INPUT),
    VOLUME_SIZE(1224, "a volume needs a size in whole GiB", ExitCode.INVALID_INPUT),
    POD_RANGES(1225, "the range of pods does not fit the machines", ExitCode.INVALID_INPUT),
    CONTROL_PLANE_COUNT(1226, "a control plane is one or three machines", ExitCode.INVALID_INPUT),
    RANGES_OVERLAP(1227, "two ranges of addresses overlap", ExitCode.INVALID_INPUT),
    VERSION_UNSUPPORTED(1228, "a release that cannot be set up", ExitCode.INVALID_INPUT),
    NOT_HTTPS(1229, "an identity provider without https", ExitCode.INVALID_INPUT),
    AUTHORIZERS(1230, "authorizers that break the cluster", ExitCode.INVALID_INPUT),
    GPU_SHARING(1231, "ways of sharing a GPU that exclude each other", ExitCode.INVALID_INPUT),
    NO_GPU(1232, "a setting of GPUs without a GPU", ExitCode.INVALID_INPUT),
    ENDPOINT_NEEDED(1233, "several API servers need one address", ExitCode.INVALID_INPUT),
    NOT_TOGETHER(1234, "two keys that exclude each other", ExitCode.INVALID_INPUT),
    WHO_UNCLEAR(1235, "neither a user nor a group, or both", ExitCode.INVALID_INPUT),
    REPOSITORY_NEEDED(1236, "where packages come from is not clear", ExitCode.INVALID_INPUT),
    NOT_A_HOST(1237, "a group that is none of the hosts", ExitCode.INVALID_INPUT),
    NOT_WITH_RELEASE(1238, "this release cannot do it", ExitCode.INVALID_INPUT),
    NOT_PASSED(1239, "a device that no host gives away", ExitCode.INVALID_INPUT),
    NOT_NAMED(1240, "the cluster names no such thing", ExitCode.INVALID_INPUT),
    EVEN_MASTERS(1241, "an even number of masters", ExitCode.INVALID_INPUT),
    PORT_TWICE(1243, "a port has two uses", ExitCode.INVALID_INPUT),
    MODEL_UNKNOWN(1250, "a model of card that deepsite does not know", ExitCode.INVALID_INPUT),
    DRIVER_BRANCH(1251, "this driver does not fit the cards", ExitCode.INVALID_INPUT),
    MPS_SHARED(1252, "MPS on cards where processes share their memory", ExitCode.INVALID_INPUT),
    NO_MIG(1253, "cards that cannot be split so", ExitCode.INVALID_INPUT),
    CONSUMER_CARD(1254, "a consumer card for virtual machines", ExitCode.INVALID_INPUT),
    HOST_PATH(1260, "a path of the host that no machine may have", ExitCode.INVALID_INPUT),

    // 20xx providers
    PROVIDER_UNREACHABLE(2001, "the provider does not answer", ExitCode.PROVIDER_UNREACHABLE),
    PROVIDER_REFUSED(2002, "the provider refused a call", ExitCode.FAILED),
    NAME_TAKEN(2003, "the name exists and is not ours", ExitCode.INVALID_INPUT),
    IMAGE_MOVED(2004, "the name of an image means another one now", ExitCode.DONE),

    // 21xx LXD
    LXD_NO_RIGHTS(2101, "no rights on LXD's socket", ExitCode.PROVIDER_UNREACHABLE),
    LXD_NOT_TRUSTED(2102, "LXD does not trust this client", ExitCode.PROVIDER_UNREACHABLE),
    LXD_WRONG_CERTIFICATE(2103, "the server shows another certificate", ExitCode.PROVIDER_UNREACHABLE),
    LXD_CERTIFICATE_UNREADABLE(2104, "a certificate or key cannot be read", ExitCode.INVALID_INPUT),
    LXD_POOL_DIR(2105, "a storage pool of driver dir", ExitCode.INVALID_INPUT),
    LXD_POOL_UNUSABLE(2106, "the storage pool cannot be used", ExitCode.INVALID_INPUT),
    LXD_POOL_FULL(2107, "the storage pool is full", ExitCode.FAILED),
    LXD_NETWORK_UNUSABLE(2108, "the network cannot be used", ExitCode.INVALID_INPUT),
    LXD_NO_ADDRESS(2109, "the network has no free address", ExitCode.INVALID_INPUT),
    LXD_IMAGE_MISSING(2110, "LXD has no such image", ExitCode.INVALID_INPUT),
    LXD_IMAGE_NOT_BUILT(2111, "the image could not be built", ExitCode.FAILED),
    LXD_TOO_FEW_GPUS(2112, "too few free GPUs", ExitCode.INVALID_INPUT),
    LXD_DEVICE_REFUSED(2113, "LXD cannot attach or change a device", ExitCode.FAILED),
    LXD_NAME_TOO_LONG(2114, "a name is too long for LXD", ExitCode.INVALID_INPUT),
    LXD_VOLUME_MISMATCH(2115, "two groups ask one shared volume differently", ExitCode.INVALID_INPUT),
    LXD_MODULE_MISSING(2116, "the LXD host lacks a kernel module", ExitCode.FAILED),
    LXD_INTRODUCTION_REFUSED(2117, "LXD does not accept the token or password", ExitCode.INVALID_INPUT),
    LXD_PROJECT_UNUSABLE(2118, "the project of LXD cannot be used", ExitCode.INVALID_INPUT),
    LXD_PROFILE_MISSING(2119, "LXD has no such profile", ExitCode.INVALID_INPUT),
    LXD_TARGET_UNUSABLE(2120, "machines cannot be made on that member of LXD's cluster", ExitCode.INVALID_INPUT),
    LXD_NO_VIRTUAL_MACHINES(2121, "the LXD host runs no virtual machines", ExitCode.INVALID_INPUT),
    LXD_DEVICE_MISSING(2122, "the LXD host lacks what a machine is to get", ExitCode.INVALID_INPUT),
    LXD_DEVICE_TAKEN(2123, "what a machine is to get is given away", ExitCode.INVALID_INPUT),
    LXD_IMAGE_NOT_FETCHED(2124, "the image could not be fetched", ExitCode.FAILED),

    // 22xx static hosts
    INVENTORY_UNREADABLE(2201, "the inventory cannot be read", ExitCode.INVALID_INPUT),
    GROUP_WITHOUT_HOSTS(2202, "a machine group has no host in the inventory", ExitCode.INVALID_INPUT),
    HOST_TWICE(2203, "a host is in two machine groups", ExitCode.INVALID_INPUT),
    HOST_NAME(2204, "not a host name", ExitCode.INVALID_INPUT),
    HOST_VARIABLE(2205, "a host variable cannot be used", ExitCode.INVALID_INPUT),
    HOST_KEY_UNKNOWN(2206, "a host's SSH key is not known", ExitCode.INVALID_INPUT),
    INVENTORY_SLOW(2207, "reading the inventory took too long", ExitCode.FAILED),
    GPU_VENDOR_NEEDED(2208, "the vendor of a GPU is needed", ExitCode.INVALID_INPUT),

    // 23xx OpenStack: up to 2319 the connection, from 2320 what is made there
    OPENSTACK_CLOUD_UNKNOWN(2301, "clouds.yaml has no such cloud", ExitCode.INVALID_INPUT),
    OPENSTACK_CREDENTIALS_MISSING(2302, "no credentials for OpenStack", ExitCode.INVALID_INPUT),
    OPENSTACK_CREDENTIALS_UNUSABLE(2303, "the credentials for OpenStack cannot be used", ExitCode.INVALID_INPUT),
    OPENSTACK_INSECURE(2304, "a connection to anybody is refused", ExitCode.INVALID_INPUT),
    OPENSTACK_LOGIN_REFUSED(2305, "OpenStack refuses the login", ExitCode.PROVIDER_UNREACHABLE),
    OPENSTACK_NO_ROLE(2306, "the user has no role in the project", ExitCode.PROVIDER_UNREACHABLE),
    OPENSTACK_REGION_UNKNOWN(2307, "the cloud has no such region", ExitCode.INVALID_INPUT),
    OPENSTACK_SERVICE_MISSING(2308, "the cloud does not offer a service", ExitCode.INVALID_INPUT),
    OPENSTACK_NOT_TRUSTED(2309, "the cloud's certificate is not trusted", ExitCode.PROVIDER_UNREACHABLE),
    OPENSTACK_VERSION(2310, "the cloud's API has no version that deepsite knows", ExitCode.INVALID_INPUT),
    OPENSTACK_FORBIDDEN(2311, "the project may not do this", ExitCode.FAILED),
    OPENSTACK_QUOTA(2312, "the project's quota is too small", ExitCode.INVALID_INPUT),
    OPENSTACK_IMAGE_MISSING(2320, "the cloud has no such image", ExitCode.INVALID_INPUT),
    OPENSTACK_FLAVOR_MISSING(2321, "the cloud has no such flavor", ExitCode.INVALID_INPUT),
    OPENSTACK_FLAVOR_TOO_SMALL(2322, "the flavor is too small", ExitCode.INVALID_INPUT),
    OPENSTACK_NO_FLAVOR(2323, "no flavor has what a machine asks for", ExitCode.INVALID_INPUT),
    OPENSTACK_NO_GPU_FLAVOR(2324, "no flavor has such GPUs", ExitCode.INVALID_INPUT),
    OPENSTACK_NOT_ADMIN(2325, "the user may not make flavors", ExitCode.INVALID_INPUT),
    OPENSTACK_NETWORK_MISSING(2326, "the project sees no such network", ExitCode.INVALID_INPUT),
    OPENSTACK_NO_ADDRESS(2327, "the subnet has no free address", ExitCode.INVALID_INPUT),
    OPENSTACK_SECURITY_GROUP_MISSING(2328, "the project has no such security group", ExitCode.INVALID_INPUT),
    OPENSTACK_ZONE_MISSING(2329, "the cloud has no such availability zone", ExitCode.INVALID_INPUT),
    OPENSTACK_VOLUME_TYPE_MISSING(2330, "the cloud has no such volume type", ExitCode.INVALID_INPUT),
    OPENSTACK_USER_DATA(2331, "user data that a server cannot have", ExitCode.INVALID_INPUT),
    OPENSTACK_FILE(2332, "a file for the cloud cannot be read", ExitCode.INVALID_INPUT),
    OPENSTACK_SERVER_FAILED(2333, "the cloud could not make a server", ExitCode.FAILED),
    OPENSTACK_IN_USE(2334, "something still uses it", ExitCode.FAILED),
    OPENSTACK_KEYS_LOST(2335, "the keys of a machine are lost", ExitCode.FAILED),
    OPENSTACK_TOO_SLOW(2336, "the cloud took too long", ExitCode.FAILED),

    // 24xx OpenNebula: up to 2419 the connection, from 2420 what is made there
    OPENNEBULA_SESSION_MISSING(2401, "no session string for OpenNebula", ExitCode.INVALID_INPUT),
    OPENNEBULA_CONNECTION_UNUSABLE(2402, "the connection to OpenNebula cannot be set up", ExitCode.INVALID_INPUT),
    OPENNEBULA_PLAIN_HTTP(2403, "the password for OpenNebula travels unprotected", ExitCode.DONE),
    OPENNEBULA_LOGIN_REFUSED(2404, "OpenNebula refuses the login", ExitCode.PROVIDER_UNREACHABLE),
    OPENNEBULA_NOT_TRUSTED(2405, "the front-end's certificate is not trusted", ExitCode.PROVIDER_UNREACHABLE),
    OPENNEBULA_ANSWER_UNUSABLE(2406, "the answer is none that OpenNebula gives", ExitCode.PROVIDER_UNREACHABLE),
    OPENNEBULA_CALL_REFUSED(2407, "OpenNebula does not know a call", ExitCode.FAILED),
    OPENNEBULA_VERSION(2408, "a version of OpenNebula that deepsite does not know", ExitCode.INVALID_INPUT),
    OPENNEBULA_FORBIDDEN(2409, "the user may not do this", ExitCode.FAILED),
    OPENNEBULA_QUOTA(2410, "the quota is too small", ExitCode.INVALID_INPUT),
    OPENNEBULA_IMAGE_MISSING(2420, "OpenNebula has no such image", ExitCode.INVALID_INPUT),
    OPENNEBULA_IMAGE_FAILED(2421, "an image is in ERROR", ExitCode.FAILED),
    OPENNEBULA_NETWORK_MISSING(2422, "OpenNebula has no such virtual network", ExitCode.INVALID_INPUT),
    OPENNEBULA_NO_ADDRESS(2423, "the virtual network has no free address", ExitCode.INVALID_INPUT),
    OPENNEBULA_DATASTORE_MISSING(2424, "OpenNebula has no such datastore", ExitCode.INVALID_INPUT),
    OPENNEBULA_DATASTORE_FULL(2425, "the datastore is full", ExitCode.FAILED),
    OPENNEBULA_PLACE_MISSING(2426, "OpenNebula has no such cluster or host", ExitCode.INVALID_INPUT),
    OPENNEBULA_TEMPLATE_MISSING(2427, "OpenNebula has no such VM template", ExitCode.INVALID_INPUT),
    OPENNEBULA_SECURITY_GROUP_MISSING(2428, "OpenNebula has no such security group", ExitCode.INVALID_INPUT),
    OPENNEBULA_NO_GPU(2429, "no host has such cards", ExitCode.INVALID_INPUT),
    OPENNEBULA_PCI_CLASH(2430, "a VM template chooses a PCI device in two ways", ExitCode.INVALID_INPUT),
    OPENNEBULA_TOO_OLD(2431, "this version of OpenNebula cannot do it", ExitCode.INVALID_INPUT),
    OPENNEBULA_VM_FAILED(2432, "OpenNebula could not make a VM", ExitCode.FAILED),
    OPENNEBULA_VM_WAITS(2433, "no host takes a VM", ExitCode.FAILED),
    OPENNEBULA_IN_USE(2434, "something in OpenNebula still uses it", ExitCode.FAILED),
    OPENNEBULA_KEYS_LOST(2435, "the keys of a VM are lost", ExitCode.FAILED),
    OPENNEBULA_TOO_SLOW(2436, "OpenNebula took too long", ExitCode.FAILED),

    // 30xx hosts and SSH
    HOST_SILENT(3001, "a host does not answer SSH", ExitCode.FAILED),
    HOST_KEY_WRONG(3002, "a host shows another SSH key than it should", ExitCode.FAILED),
    LOGIN_REFUSED(3003, "a host refuses the login", ExitCode.FAILED),
    CONNECTION_BROKEN(3004, "the connection to a host broke", ExitCode.FAILED),
    ROOT_NEEDED(3005, "root rights are missing on a host", ExitCode.FAILED),
    ANSWER_TORN(3006, "a host's answer is incomplete", ExitCode.FAILED),
    COMMAND_TOO_SLOW(3007, "a command on a host took too long", ExitCode.FAILED),
    LOGIN_KEY_UNUSABLE(3008, "the private key for the login cannot be used", ExitCode.INVALID_INPUT),
    MACHINE_DOWN(3009, "a machine does not run", ExitCode.FAILED),
    JUMP_FORBIDDEN(3010, "a jump host passes no connections on", ExitCode.FAILED),
    HOST_KEY_NOT_MADE(3011, "a machine made no SSH key of its own", ExitCode.FAILED),

    // 31xx Ansible
    ANSIBLE_MISSING(3101, "Ansible is not installed", ExitCode.INVALID_INPUT),
    ANSIBLE_TOO_OLD(3102, "Ansible is too old", ExitCode.INVALID_INPUT),
    ROLE_FAILED(3110, "a role could not be applied", ExitCode.FAILED),
    ANSIBLE_STILL_RUNS(3111, "Ansible of a killed run still works", ExitCode.LOCK_HELD),

    // 32xx what a role found on a host, and told by itself
    PORT_TAKEN(3201, "a port is taken on a host", ExitCode.FAILED),
    CONTAINER_IMAGE_MISSING(3202, "an image for containers cannot be had", ExitCode.FAILED),
    TICKET_REFUSED(3203, "a ticket to join was refused", ExitCode.FAILED),
    SWAP_OF_THE_HOST(3204, "swap that a container cannot turn off", ExitCode.FAILED),
    CLOCKS_APART(3205, "the clocks of two hosts differ", ExitCode.FAILED),
    RELEASES_APART(3206, "a host has another release than the site asks", ExitCode.FAILED),
    CARDS_MISSING(3207, "a host lacks GPUs that the site gives it", ExitCode.FAILED),
    OBJECT_IN_USE(3208, "what stands in a cloud cannot be changed so", ExitCode.FAILED),
    OBJECT_OF_OTHERS(3209, "a cloud has something of this name already", ExitCode.FAILED),
    HOST_OCCUPIED(3210, "a host that is to go runs virtual machines", ExitCode.FAILED),
    IOMMU_MISSING(3211, "a host shows no IOMMU", ExitCode.FAILED),
    IOMMU_OFF(3212, "the kernel of a host does not use its IOMMU", ExitCode.FAILED),
    DEVICE_MISSING(3213, "a host lacks a device that it is to give away", ExitCode.FAILED),
    DEVICE_NEEDED(3214, "a device that the host itself needs", ExitCode.FAILED),
    GROUP_SHARED(3215, "devices that can only be given away together", ExitCode.FAILED),
    DEVICE_KEPT(3216, "a driver of the host keeps a device that it is to give away", ExitCode.FAILED),
    HOST_NOT_BACK(3217, "a host did not come back from its restart", ExitCode.FAILED),
    EARLY_SYSTEM_OLD(3218, "a host started with an early system of before", ExitCode.FAILED),
    VIRTUAL_FUNCTIONS(3219, "a card has other virtual functions than the site asks", ExitCode.FAILED),
    DEVICE_FILES_CLOSED(3220, "libvirt keeps virtual machines from the devices", ExitCode.FAILED),
    DOWNLOAD_WRONG(3221, "a download is not what the site says", ExitCode.FAILED),
    DOWNLOAD_LACKS(3222, "an archive lacks what it must hold", ExitCode.FAILED),
    NO_MAJORITY(3223, "servers that vote have no majority", ExitCode.FAILED),
    DRIVER_TOO_OLD(3224, "a driver is too old", ExitCode.FAILED),
    CARDS_NOT_OFFERED(3225, "a host offers fewer GPUs than the site gives it", ExitCode.FAILED),
    IDENTITY_UNFIT(3228, "an identity provider is not as the site says", ExitCode.FAILED),
    CERTIFICATE_UNFIT(3229, "a certificate does not fit", ExitCode.FAILED),
    LXD_NOT_USABLE(3230, "a host has no LXD, or two", ExitCode.FAILED),
    POOL_CLASH(3231, "a host's LXD has another pool of this name", ExitCode.FAILED),
    POOL_DRIVER_MISSING(3232, "a host lacks a storage driver", ExitCode.FAILED),
    DISK_IN_USE(3233, "a disk is in use or not empty", ExitCode.FAILED),
    DISK_TOO_SMALL(3234, "a file would be larger than what is free", ExitCode.FAILED),
    POOL_HOLDS(3235, "a storage pool that is to go is in use", ExitCode.FAILED),
    NO_NETWORK_CARD(3236, "instances of a host's LXD get no network card", ExitCode.FAILED),
    DRIVERS_APART(3250, "kernel module and libraries of a driver differ", ExitCode.FAILED),
    DRIVER_MISSING(3251, "a host does not run the driver that the site asks", ExitCode.FAILED),

    // 40xx plan
    STALE_PLAN(4001, "the plan is stale", ExitCode.INVALID_INPUT),
    PLAN_OF_ANOTHER_VERSION(4002, "the plan is of another version", ExitCode.INVALID_INPUT),
    PLAN_UNREADABLE(4003, "the plan cannot be read", ExitCode.INVALID_INPUT),
    WORLD_MOVED(4004, "the world moved since the plan", ExitCode.INVALID_INPUT),
    CONSENT_NEEDED(4005, "the plan needs consent", ExitCode.INVALID_INPUT),
    FOREIGN_LINEAGE(4006, "these are not recorded here", ExitCode.INVALID_INPUT),
    NOT_CONFIRMED(4007, "nobody said yes", ExitCode.INVALID_INPUT),
    CANCELLED(4009, "cancelled", ExitCode.CANCELLED),
    MACHINE_TOO_SMALL(4010, "a machine is not what the site asks", ExitCode.FAILED),
    UNKNOWN_STAGE(4011, "no such stage, group, cluster or host", ExitCode.INVALID_INPUT),
    CHANGES_WAIT(4012, "changes wait to be applied", ExitCode.CHANGES_PENDING),
    NOTHING_TO_ADOPT(4013, "nothing can be taken over", ExitCode.INVALID_INPUT),
    HOST_FORGOTTEN(4014, "a host is forgotten; what was applied there stays", ExitCode.DONE),
    HOST_MADE(4015, "deepsite made this machine", ExitCode.INVALID_INPUT),
    HOST_NOT_RECORDED(4016, "no such host is recorded", ExitCode.INVALID_INPUT),
    FACT_MISSING(4017, "a machine does not tell what others need of it", ExitCode.FAILED),
    CLUSTER_STANDS(4018, "a cluster that stands cannot be changed so", ExitCode.INVALID_INPUT),

    // 41xx state, journal, lock
    STATE_TOO_NEW(4101, "the recorded state was written by a newer deepsite", ExitCode.INVALID_INPUT),
    STATE_UNREADABLE(4102, "the recorded state cannot be read", ExitCode.INVALID_INPUT),
    STATE_STALE(4103, "the recorded state was changed by somebody else", ExitCode.FAILED),
    STATE_NOT_WRITTEN(4104, "the state folder cannot be written", ExitCode.FAILED),
    JOURNAL_TORN(4105, "the journal's last line is incomplete", ExitCode.FAILED),
    JOURNAL_UNREADABLE(4106, "the journal cannot be read", ExitCode.FAILED),
    LOCK_HELD(4110, "another operation holds the site's lock", ExitCode.LOCK_HELD),
    LOCK_TAKEN_OVER(4111, "the lock of a dead process was taken over", ExitCode.LOCK_HELD),
    LOCK_LOST(4112, "the site's lock was taken away from this operation", ExitCode.LOCK_HELD),
    LOCK_UNKNOWN(4113, "no lock has this id", ExitCode.INVALID_INPUT),

    // 42xx secrets
    VAULT_KEY_WRONG(4201, "the vault key does not open this file", ExitCode.INVALID_INPUT),
    VAULT_KEY_MISSING(4202, "there is no vault key", ExitCode.INVALID_INPUT),
    VAULT_KEY_UNUSABLE(4203, "the vault key file cannot be used", ExitCode.INVALID_INPUT),
    VAULT_KEY_MADE(4204, "a vault key was made", ExitCode.DONE),
    VAULT_KEY_EXPOSED(4205, "the vault key can be read by others", ExitCode.DONE),
    VAULT_DAMAGED(4206, "this is not a readable ansible-vault file", ExitCode.INVALID_INPUT),
    SECRET_UNKNOWN(4207, "the site has no such secret", ExitCode.INVALID_INPUT),
    SECRET_NAME(4208, "not a name for a secret", ExitCode.INVALID_INPUT),
    SECRET_VALUE(4209, "not a value for that secret", ExitCode.INVALID_INPUT),

    // 50xx templates and contracts
    TEMPLATE_SYNTAX(5001, "a template is not valid Jinja", ExitCode.INVALID_INPUT),
    TEMPLATE_CONSTRUCT(5002, "a template uses a part of Jinja that is refused", ExitCode.INVALID_INPUT),
    TEMPLATE_FAILED(5003, "a template cannot be rendered", ExitCode.INVALID_INPUT),
    TEMPLATE_MISSING(5004, "a template cannot be read", ExitCode.INVALID_INPUT),
    ROLE_MISSING(5010, "there is no such role", ExitCode.INVALID_INPUT),
    ROLE_FILE(5011, "a file of a role cannot be used", ExitCode.INVALID_INPUT),
    CONTRACT_INVALID(5012, "a contract asks for something impossible", ExitCode.INVALID_INPUT),
    CONTRACT_CLASH(5013, "two roles ask for the same thing on a host", ExitCode.INVALID_INPUT),
    VARIABLE_UNKNOWN(5020, "a role has no such variable", ExitCode.INVALID_INPUT),
    VARIABLE_MISSING(5021, "a variable of a role is missing", ExitCode.INVALID_INPUT),
    VARIABLE_TYPE(5022, "a variable of a role has the wrong type", ExitCode.INVALID_INPUT),
    VARIABLE_CHOICE(5023, "a variable of a role has a value that is not accepted", ExitCode.INVALID_INPUT),
    HOME_MISSING(5030, "deepsite's own files are not found", ExitCode.FAILED),

    // 60xx verify
    NOT_PROVED(6001, "a cluster does not work as it should", ExitCode.FAILED),

    // 70xx lease
    LEASE_MISSING(7001, "the site has no lease", ExitCode.INVALID_INPUT),
    LEASE_TOO_LONG(7002, "the lease would be too long", ExitCode.INVALID_INPUT),
    LEASE_OVER(7003, "the lease is over", ExitCode.INVALID_INPUT),

    // 80xx the command line
    COMMAND_LINE(8001, "the command line cannot be understood", ExitCode.INVALID_INPUT),
    FILE_NOT_WRITTEN(8002, "a file cannot be written", ExitCode.INVALID_INPUT),
    PROGRAM_MISSING(8003, "a program is not installed", ExitCode.INVALID_INPUT),
    NOT_WITH_KIND(8004, "this cluster cannot do it", ExitCode.INVALID_INPUT),
    WORK_REFUSED(8005, "the cluster does not take the work", ExitCode.FAILED),

    // 90xx internal
    INTERNAL(9001, "this is a bug in deepsite", ExitCode.INTERNAL);

    private final int number;
    private final String summary;
    private final ExitCode exit;

    Code(int number, String summary, ExitCode exit) {
        this.number = number;
        this.summary = summary;
        this.exit = exit;
    }

    /** Four digits after {@code DS}. */
    public String id() {
        return "DS" + number;
    }

    public String summary() {
        return summary;
    }

    public ExitCode exit() {
        return exit;
    }
}
