package io.deepsite.site;

import java.util.Map;
import java.util.Optional;

/** What one provider needs to know. In YAML a map with one key, the provider's name. Data only; see ADR 3. */
public sealed interface ProviderSettings {

    /** The provider's name in site.yaml. */
    String provider();

    /** Whether the machines exist before the site does, listed in an inventory; then nothing is known of them here. */
    default boolean machinesExist() {
        return false;
    }

    /** Whether the machines of a group are containers, with the kernel and the devices of their host. */
    default boolean containers(Name group) {
        return false;
    }

    /** The range of the machines' addresses, as far as site.yaml tells. */
    default Optional<Cidr> machineRange() {
        return Optional.empty();
    }

    /** Whether a machine can answer by one more address that is given to it later, or its network lets only its own through. */
    default boolean takesMoreAddresses() {
        return true;
    }

    /** What the PCI addresses of a group's GPUs mean. */
    CardAddresses cardAddresses();

    /** What PCI addresses of GPUs mean. */
    enum CardAddresses {
        /** The back-end chooses the cards. */
        REFUSED,
        /** Cards of the one host that all machines of the site are on. */
        OF_ONE_HOST,
        /** Cards of the host that the machine will be on; given to one machine only. */
        OF_SOME_HOST,
        /** Cards of each machine itself. */
        OF_EACH_MACHINE
    }

    record Lxd(
            @Key(
                    value = "Where the LXD daemon listens: unix:///path/to/socket or https://host:port.",
                    defaultValue = "unix:///var/lib/lxd/unix.socket",
                    example = "https://lxd.example:8443",
                    pattern = "unix:///[^\\s?#]+|https://[A-Za-z0-9.\\[\\]:-]+/?",
                    impact = ChangeImpact.REPLACE)
            String endpoint,

            @Key(
                    value = "The project of LXD that holds the machines; it must exist.",
                    defaultValue = "default",
                    example = "lab",
                    pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                    impact = ChangeImpact.REPLACE)
            String project,

            @Key(value = "The storage pool; made when missing.", impact = ChangeImpact.REPLACE)
            LxdPool pool,

            @Key(
                    value = "The bridge; made when missing. A name of at most 15 letters, digits, dots or hyphens.",
                    defaultValue = "lxdbr0",
                    pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}",
                    impact = ChangeImpact.REPLACE)
            String network,

            @Key(
                    "Servers that images come from, by the name that machine groups use: deepsite image pull fetches them. A"
                            + " name that is not here is an image that LXD has already.")
            Map<ImageName, LxdImage> images,

            @Key("What only LXD asks of a machine group, by the group's name.")
            Map<Name, LxdMachines> groups,

            @Key(value = "Client certificate (PEM) for an https endpoint.", example = "lxd/client.crt")
            Optional<String> certificate,

            @Key(value = "Private key (PEM, 0600) of the client certificate.", example = "lxd/client.key")
            Optional<String> key,

            @Key(value = "The server's own certificate (PEM), for an https endpoint.", example = "lxd/server.crt")
            Optional<String> serverCertificate)
            implements ProviderSettings {
        public static final String USUAL_PROJECT = "default";

        public Lxd {
            images = Ordered.copy(images);
            groups = Ordered.copy(groups);
        }

        public LxdMachines of(Name group) {
            return groups.getOrDefault(group, LxdMachines.NONE);
        }

        @Override
        public String provider() {
            return "lxd";
        }

        @Override
        public boolean containers(Name group) {
            return !of(group).virtualMachines();
        }

        @Override
        public CardAddresses cardAddresses() {
            return CardAddresses.OF_ONE_HOST;
        }
    }

    record LxdPool(
            @Key(
                    value = "Name of the pool: at most 63 letters, digits, dots, hyphens or underscores.",
                    defaultValue = "deepsite",
                    example = "nova",
                    pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                    impact = ChangeImpact.REPLACE)
            String name,

            @Key(
                    value =
                            "Storage driver. LXD's dir driver is left out: it copies the whole image for every machine and"
                                    + " cannot keep disk limits.",
                    defaultValue = "btrfs",
                    choices = {"btrfs", "zfs", "lvm", "ceph"},
                    impact = ChangeImpact.REPLACE)
            String driver,

            @Key(value = "Size of the loop file when the pool is made.", defaultValue = "20GiB", example = "100GiB")
            Size size,

            @Key(
                    value = "A block device for the pool, instead of a loop file.",
                    example = "/dev/sdb",
                    pattern = "/dev/[A-Za-z0-9/_.:-]+",
                    impact = ChangeImpact.REPLACE)
            Optional<String> device,

            @Key(
                    value =
                            "What exists already and the pool is made in: a dataset of zfs, a volume group of lvm, a pool of"
                                    + " Ceph.",
                    example = "tank/lxd",
                    pattern = "[A-Za-z0-9][A-Za-z0-9/_.:-]{0,127}",
                    impact = ChangeImpact.REPLACE)
            Optional<String> source) {}

    /**
     * A tenant of an OpenStack cloud. Who logs in stands in clouds.yaml or the environment, never here.
     *
     * @param images by the name that {@code machines.*.image} gives
     * @param groups by machine group
     */
    record OpenStack(
            @Key(
                    value =
                            "Name of the cloud in clouds.yaml. Without it OS_CLOUD names it, or the other OS_* variables"
                                    + " tell all.",
                    example = "lab",
                    pattern = "[^\\s]{1,200}",
                    impact = ChangeImpact.REPLACE)
            Optional<String> cloud,

            @Key(
                    value = "Region of the cloud. Without it that of clouds.yaml or OS_REGION_NAME, else the only one.",
                    example = "RegionOne",
                    pattern = "[^\\s]{1,255}",
                    impact = ChangeImpact.REPLACE)
            Optional<String> region,

            @Key(
                    value =
                            "Which endpoints of the cloud are called. Without it that of clouds.yaml or OS_INTERFACE, else"
                                    + " public.",
                    name = "interface",
                    example = "internal",
                    choices = {"public", "internal"})
            Optional<String> facing,

            @Key(value = "The network of the machines; made when none is named.", impact = ChangeImpact.REPLACE)
            OpenStackNetwork network,

            @Key("Where images come from, by the name that machine groups use. One that is not here is an image of the"
                    + " cloud with that name.")
            Map<ImageName, OpenStackImage> images,

            @Key("What only OpenStack asks of a machine group, by the group's name.")
            Map<Name, OpenStackMachines> groups,

            @Key(
                    value = "The group whose first machine has a floating IP and is the SSH jump host of all others.",
                    example = "head")
            Optional<Name> bastion,

            @Key(
                    value =
                            "Make flavors that fit exactly where the cloud has none; this takes an administrator's rights.",
                    defaultValue = "false")
            boolean createFlavors,

            @Key(
                    value = "How often a machine that the cloud fails to make is deleted and made again.",
                    defaultValue = "2",
                    example = "3",
                    min = 0,
                    max = 10)
            int retries)
            implements ProviderSettings {
        public OpenStack {
            images = Ordered.copy(images);
            groups = Ordered.copy(groups);
        }

        @Override
        public String provider() {
            return "openstack";
        }

        @Override
        public Optional<Cidr> machineRange() {
            return Optional.of(network.cidr());
        }

        /** Neutron's port security lets a port's own addresses through, and no others. */
        @Override
        public boolean takesMoreAddresses() {
            return false;
        }

        @Override
        public CardAddresses cardAddresses() {
            return CardAddresses.REFUSED;
        }
    }

    /**
     * A user of an OpenNebula front-end. The session string, {@code user:password}, stands in a file or the environment,
     * never here.
     *
     * @param images by the name that {@code machines.*.image} gives
     * @param groups by machine group
     */
    record OpenNebula(
            @Key(
                    value = "Where the front-end answers XML-RPC. Without it ONE_XMLRPC names it, else it is"
                            + " http://localhost:2633/RPC2.",
                    example = "https://one.example:2633/RPC2",
                    pattern = "https?://[A-Za-z0-9.\\[\\]:-]+(/[A-Za-z0-9/._-]*)?",
                    impact = ChangeImpact.REPLACE)
            Optional<String> endpoint,

            @Key(
                    value = "File with the session string, user:password. Without it the file that ONE_AUTH names, else"
                            + " ~/.one/one_auth.",
                    example = "~/.one/lab_auth")
            Optional<String> auth,

            @Key(
                    value =
                            "Certificate (PEM) of the authority that signed the front-end's, where it has one of its own.",
                    example = "one-ca.pem")
            Optional<String> authority,

            @Key(value = "The virtual network of the machines; made when none is named.", impact = ChangeImpact.REPLACE)
            OpenNebulaNetwork network,

            @Key("Where images come from, by the name that machine groups use. One that is not here is an image of"
                    + " OpenNebula with that name.")
            Map<ImageName, OpenNebulaImage> images,

            @Key("What only OpenNebula asks of a machine group, by the group's name.")
            Map<Name, OpenNebulaMachines> groups,

            @Key(
                    value =
                            "Name or id of the datastore for images and data disks that are made. Without it the first image"
                                    + " datastore.",
                    example = "default",
                    impact = ChangeImpact.REPLACE)
            Optional<String> datastore,

            @Key(
                    value = "How long a machine may wait for a host before apply gives up on it.",
                    defaultValue = "10m",
                    example = "1h")
            Span patience)
            implements ProviderSettings {
        public OpenNebula {
            images = Ordered.copy(images);
            groups = Ordered.copy(groups);
        }

        @Override
        public String provider() {
            return "opennebula";
        }

        @Override
        public Optional<Cidr> machineRange() {
            return Optional.of(network.cidr());
        }

        @Override
        public CardAddresses cardAddresses() {
            return CardAddresses.OF_SOME_HOST;
        }
    }

    /** Hosts that exist already. */
    record Static(
            @Key(
                    value = "An Ansible inventory; groups are named as the machine groups.",
                    example = "inventories/rack1.yml")
            String inventory)
            implements ProviderSettings {
        @Override
        public String provider() {
            return "static";
        }

        @Override
        public boolean machinesExist() {
            return true;
        }

        @Override
        public CardAddresses cardAddresses() {
            return CardAddresses.OF_EACH_MACHINE;
        }
    }
}
