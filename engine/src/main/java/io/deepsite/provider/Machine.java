package io.deepsite.provider;

import io.deepsite.site.GpuRequest;
import io.deepsite.site.Name;
import io.deepsite.site.PathName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One host of a site.
 *
 * @param name host name, and node name of clusters
 * @param resource what makes it; empty for a host that exists already
 * @param provider the provider's name, as in site.yaml
 */
public record Machine(String name, Name group, Optional<ResourceId> resource, String provider, Specs specs, Ssh ssh) {

    /**
     * What it has.
     *
     * @param container it cannot load modules, set sysctls or mount on its own
     */
    public record Specs(int cpus, long memoryMebibytes, boolean container, List<Gpu> gpus) {
        public Specs {
            gpus = List.copyOf(gpus);
        }
    }

    /**
     * How SSH reaches it.
     *
     * @param address where SSH answers; empty while only the back-end can tell, after the machine is made
     * @param hostKey the SSH host key, as in known_hosts ({@code ssh-ed25519 AAAA…}), if the inventory contains it
     * @param via another machine of the site that passes SSH on to this one, which is not reached from outside; where
     *     deepsite makes both, the resource of this one depends on that of the other
     * @param outside where SSH reaches it, when that is not the address by which the other machines know it; empty also
     *     while only {@link Provider#outside} will tell
     */
    public record Ssh(
            Optional<String> address,
            int port,
            String user,
            Optional<String> hostKey,
            Optional<String> via,
            Optional<String> outside) {
        public Ssh {
            via.ifPresent(host -> PathName.require("host", host));
        }

        /** As the site's {@code ssh} says, through no other machine. */
        public Ssh(Optional<String> address, int port, String user, Optional<String> hostKey) {
            this(address, port, user, hostKey, Optional.empty(), Optional.empty());
        }
    }

    /** Of its memory a machine promises this much to its cluster; its daemons live in the rest. */
    private static final int PROMISED_PERCENT = 95;
    /** What a kernel takes while it boots, however much there is. Debian 12 was seen to show 470 of 512 MiB. */
    private static final long KERNEL_MEBIBYTES = 64;
    /** Its bounce buffers (swiotlb) where memory reaches over 4 GiB; of what is below, devices leave 2 GiB or more. */
    private static final long BOUNCE_MEBIBYTES = 64;

    private static final long BELOW_DEVICES_MEBIBYTES = 2048;
    /** One part in so many describes the pages: 64 bytes for each 4 KiB. */
    private static final long PAGE = 64;

    public Machine {
        PathName.require("host", name);
    }

    public int cpus() {
        return specs.cpus;
    }

    public long memoryMebibytes() {
        return specs.memoryMebibytes;
    }

    public boolean container() {
        return specs.container;
    }

    public List<Gpu> gpus() {
        return specs.gpus;
    }

    public Optional<String> address() {
        return ssh.address;
    }

    public int port() {
        return ssh.port;
    }

    public String user() {
        return ssh.user;
    }

    public Optional<String> hostKey() {
        return ssh.hostKey;
    }

    public Optional<String> via() {
        return ssh.via;
    }

    public Optional<String> outside() {
        return ssh.outside;
    }

    /**
     * Memory that its cluster may count on, in MiB: the same before the machine is made and after. One that deepsite makes
     * with a kernel of its own shows less than it was given; a container shows all of it, and of a host that exists is known
     * what it shows.
     */
    public long promisedMebibytes() {
        long given = specs.memoryMebibytes;
        long percent = given * PROMISED_PERCENT / 100;
        return resource.isEmpty() || specs.container
                ? percent
                : Math.min(percent, Math.max(given / 2, given - kept(given)));
    }

    private static long kept(long given) {
        return KERNEL_MEBIBYTES + (given > BELOW_DEVICES_MEBIBYTES ? BOUNCE_MEBIBYTES : 0) + given / PAGE;
    }

    /** The same with what was measured on it. */
    public Machine measured(int measuredCpus, long measuredMebibytes, boolean isContainer) {
        return new Machine(
                name, group, resource, provider, new Specs(measuredCpus, measuredMebibytes, isContainer, gpus()), ssh);
    }

    /** @param device the device file on the machine, {@code /dev/nvidia0} */
    public record Gpu(String vendor, String model, String pci, String device) {

        /** As the driver in the guest will number them; where they sit on its bus only the guest can tell. */
        public static List<Gpu> numbered(List<GpuRequest> requests) {
            var cards = new ArrayList<Gpu>();
            int nvidia = 0;
            int others = 0;
            for (var request : requests) {
                var vendor = request.vendor().map(Name::value).orElse("");
                for (int i = 0; i < request.cards(); i++) {
                    var device =
                            vendor.equals("nvidia") ? "/dev/nvidia" + nvidia++ : "/dev/dri/renderD" + (128 + others++);
                    cards.add(new Gpu(vendor, request.model().orElse(vendor), "", device));
                }
            }
            return cards;
        }
    }
}
