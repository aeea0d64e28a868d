package io.deepsite.site;

import java.util.Optional;

/** What one provider needs to know. In YAML a map with one key, the provider's name. Data only; see ADR 3. */
public sealed interface ProviderSettings {

    /** The provider's name in site.yaml. */
    String provider();

    record Lxd(
            @Key(
                    value = "Where the LXD daemon listens: a unix socket or https.",
                    defaultValue = "unix:///var/lib/lxd/unix.socket",
                    blast = Blast.REPLACE)
            String endpoint,

            @Key(value = "The storage pool; made when missing.", blast = Blast.REPLACE)
            LxdPool pool,

            @Key(value = "The bridge; made when missing.", defaultValue = "lxdbr0", blast = Blast.REPLACE)
            String network,

            @Key(value = "Client certificate (PEM) for an https endpoint.")
            Optional<String> certificate,

            @Key(value = "Private key (PEM, 0600) of the client certificate.")
            Optional<String> key,

            @Key(value = "The server's own certificate (PEM), for an https endpoint.")
            Optional<String> serverCertificate)
            implements ProviderSettings {
        @Override
        public String provider() {
            return "lxd";
        }
    }

    record LxdPool(
            @Key(value = "Name of the pool.", defaultValue = "deepsite", example = "nova", blast = Blast.REPLACE)
            String name,

            @Key(value = "Driver: btrfs, zfs or lvm. dir is refused.", defaultValue = "btrfs", blast = Blast.REPLACE)
            String driver,

            @Key(value = "Size of the loop file when the pool is made.", defaultValue = "20GiB")
            Size size,

            @Key(value = "A block device for the pool, instead of a loop file.", blast = Blast.REPLACE)
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
