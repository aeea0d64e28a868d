package io.deepsite.lxd;

import io.deepsite.lxd.LxdMachines.CharacterDevice;
import io.deepsite.lxd.LxdMachines.HostFolder;
import io.deepsite.lxd.LxdMachines.Infiniband;
import io.deepsite.lxd.LxdMachines.MigSlice;
import io.deepsite.lxd.LxdMachines.VirtualGpu;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds LXD's own keys of a group, with defaults for what a test does not set. */
final class Groups {
    List<String> profiles = List.of();
    boolean virtual;
    Optional<String> target = Optional.empty();
    boolean runtime;
    List<String> capabilities = List.of();
    List<MigSlice> mig = List.of();
    Optional<VirtualGpu> virtualGpu = Optional.empty();
    Optional<Infiniband> infiniband = Optional.empty();
    Map<Name, CharacterDevice> devices = Map.of();
    Map<Name, HostFolder> folders = Map.of();

    private Groups() {}

    interface Change {
        void to(Groups group);
    }

    static LxdMachines of(Change change) {
        var group = new Groups();
        change.to(group);
        return new LxdMachines(
                group.profiles,
                group.virtual,
                group.target,
                group.runtime,
                group.capabilities,
                group.mig,
                group.virtualGpu,
                group.infiniband,
                group.devices,
                group.folders);
    }
}
