package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Accounts;
import io.deepsite.opennebula.oca.Client;
import io.deepsite.opennebula.oca.Hosts;
import io.deepsite.opennebula.oca.Images;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.opennebula.oca.SecurityGroups;
import io.deepsite.opennebula.oca.Templates;
import io.deepsite.opennebula.oca.VirtualMachines;
import io.deepsite.opennebula.oca.VirtualNetworks;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** All families of calls to one front-end. Thread-safe. */
final class Api {
    private final AtomicReference<@Nullable OneVersion> version = new AtomicReference<>();
    private final AtomicReference<@Nullable Integer> user = new AtomicReference<>();
    private final Client client;
    private final Accounts accounts;
    private final Hosts hosts;
    private final VirtualNetworks networks;
    private final Images images;
    private final Templates templates;
    private final SecurityGroups securityGroups;
    private final VirtualMachines vms;

    Api(Client client) {
        this.client = client;
        this.accounts = new Accounts(client);
        this.hosts = new Hosts(client);
        this.networks = new VirtualNetworks(client);
        this.images = new Images(client);
        this.templates = new Templates(client);
        this.securityGroups = new SecurityGroups(client);
        this.vms = new VirtualMachines(client);
    }

    /** Fetched once. */
    OneVersion version() {
        var known = version.get();
        if (known == null) {
            known = accounts.version();
            version.set(known);
        }
        return known;
    }

    /** The id of this user. Fetched once. */
    int user() {
        var known = user.get();
        if (known == null) {
            known = accounts.myself().id();
            user.set(known);
        }
        return known;
    }

    List<Snapshot.Vm> allVms() {
        return vms.all(version()).stream().map(Read::vm).toList();
    }

    List<Snapshot.Network> allNetworks() {
        return networks.all().stream().map(Read::network).toList();
    }

    List<Snapshot.Image> allImages() {
        return images.all().stream().map(Read::image).toList();
    }

    Client client() {
        return client;
    }

    Accounts accounts() {
        return accounts;
    }

    Hosts hosts() {
        return hosts;
    }

    VirtualNetworks networks() {
        return networks;
    }

    Images images() {
        return images;
    }

    Templates templates() {
        return templates;
    }

    SecurityGroups securityGroups() {
        return securityGroups;
    }

    VirtualMachines vms() {
        return vms;
    }
}
