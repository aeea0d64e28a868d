package io.deepsite.opennebula.oca;

import java.util.List;

/** Virtual machines. */
public final class VirtualMachines {
    /** Every state but DONE. */
    private static final int NOT_DONE = -1;
    /** For {@code one.vm.update}: merge, so other attributes stay. */
    private static final int MERGE = 1;

    private static final int REPLACE = 0;
    private static final int RETRY = 2;
    private static final String SAME_TYPE = "";
    private static final int NO_SNAPSHOT = -1;

    private final Client client;

    public VirtualMachines(Client client) {
        this.client = client;
    }

    /** All machines that this user may use, except DONE ones, with all their data, in one call. */
    public List<Element> all(OneVersion version) {
        var method = version.atLeast(OneVersion.V5_8) ? "one.vmpool.infoextended" : "one.vmpool.info";
        return client.document(method, Client.ALL, Client.WHOLE_RANGE, Client.WHOLE_RANGE, NOT_DONE)
                .all("VM");
    }

    public Element info(int id) {
        return client.document("one.vm.info", id);
    }

    /** The machine is pending at once, not on hold. */
    public int allocate(Template template) {
        return client.id("one.vm.allocate", template.toString(), false);
    }

    /** @param action such as {@code terminate-hard}, {@code poweroff-hard}, {@code resume} */
    public void action(String action, int id) {
        client.id("one.vm.action", action, id);
    }

    /** Retries the action that failed last, such as a boot. */
    public void retry(int id) {
        client.id("one.vm.recover", id, RETRY);
    }

    public void merge(int id, Template userTemplate) {
        client.id("one.vm.update", id, userTemplate.toString(), MERGE);
    }

    public void replace(int id, Template userTemplate) {
        client.id("one.vm.update", id, userTemplate.toString(), REPLACE);
    }

    /** The machine must be powered off. OpenNebula checks the host's capacity. */
    public void resize(int id, Template capacity) {
        client.id("one.vm.resize", id, capacity.toString(), true);
    }

    public void attachDisk(int id, Template disk) {
        client.id("one.vm.attach", id, disk.toString());
    }

    public void detachDisk(int id, int disk) {
        client.id("one.vm.detach", id, disk);
    }

    /**
     * Saves a disk that was made from an image as a new image in the datastore of that one. The state of the image tells when
     * it is complete.
     *
     * @return the image's id
     */
    public int saveDisk(int id, int disk, String image) {
        return client.id("one.vm.disksaveas", id, disk, image, SAME_TYPE, NO_SNAPSHOT);
    }

    /** Only grows; a persistent image grows too. */
    public void growDisk(int id, int disk, long mebibytes) {
        client.id("one.vm.diskresize", id, disk, String.valueOf(mebibytes));
    }

    /** Since 6.2. */
    public void addScheduled(int id, Template action) {
        client.id("one.vm.schedadd", id, action.toString());
    }

    public void updateScheduled(int id, int scheduled, Template action) {
        client.id("one.vm.schedupdate", id, scheduled, action.toString());
    }

    public void deleteScheduled(int id, int scheduled) {
        client.id("one.vm.scheddelete", id, scheduled);
    }
}
