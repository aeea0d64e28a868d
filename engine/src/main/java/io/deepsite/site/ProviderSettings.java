package io.deepsite.site;

import java.util.Optional;

/** What one provider needs to know. In YAML a map with one key, the provider's name. Data only; see ADR 3. */
public sealed interface ProviderSettings {

    /** The provider's name in site.yaml. */
    String provider();

    record Lxd(
            @Key(
                    value = "Where the LXD daemon listens: unix:///path/to/socket or https://host:port.",
                    defaultValue = "unix:///var/lib/lxd/unix.socket",
                    example = "https://lxd.example:8443",
                    pattern = "unix:///[^\\s?#]+|https://[A-Za-z0-9.\\[\\]:-]+/?",
                    blast = Blast.REPLACE)
            String endpoint,

            @Key(value = "The storage pool; made when missing.", blast = Blast.REPLACE)
            LxdPool pool,

            @Key(
                    value = "The bridge; made when missing. A name of at most 15 letters, digits, dots or hyphens.",
                    defaultValue = "lxdbr0",
                    pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}",
                    blast = Blast.REPLACE)
            String network,

            @Key(value = "Client certificate (PEM) for an https endpoint.", example = "lxd/client.crt")
            Optional<String> certificate,

            @Key(value = "Private key (PEM, 0600) of the client certificate.", example = "lxd/client.key")
            Optional<String> key,

            @Key(value = "The server's own certificate (PEM), for an https endpoint.", example = "lxd/server.crt")
            Optional<String> serverCertificate)
            implements ProviderSettings {
        @Override
        public String provider() {
            return "lxd";
        }
    }

    record LxdPool(
            @Key(
                    value = "Name of the pool: at most 63 letters, digits, dots, hyphens or underscores.",
                    defaultValue = "deepsite",
                    example = "nova",
                    pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                    blast = Blast.REPLACE)
            String name,

            @Key(
                    value =
                            "Storage driver. LXD's dir driver is left out: it copies the whole image for every machine and"
                                    + " cannot keep disk limits.",
                    defaultValue = "btrfs",
                    choices = {"btrfs", "zfs", "lvm"},
                    blast = Blast.REPLACE)
            String driver,

            @Key(value = "Size of the loop file when the pool is made.", defaultValue = "20GiB", example = "100GiB")
            Size size,

            @Key(
                    value = "A block device for the pool, instead of a loop file.",
                    example = "/dev/sdb",
                    pattern = "/dev/[A-Za-z0-9/_.:-]+",
                    blast = Blast.REPLACE)
            Optional<String> device) {}

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
    }
}
