package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.CudaVersion;
import io.deepsite.site.GpuArchitecture;
import io.deepsite.site.GpuArchitecture.Modules;
import io.deepsite.site.GpuCard;
import io.deepsite.site.GpuTable;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.NvidiaDriver;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Optional;

/**
 * Whether a driver fits the GPUs of a group, from the table of cards; a host shows it only after the packages are installed.
 * Skips models that the table does not contain.
 */
public final class DriverChecks {
    private final Site site;
    private final Places places;
    private final Findings findings;

    DriverChecks(Site site, Places places, Findings findings) {
        this.site = site;
        this.places = places;
        this.findings = findings;
    }

    void run() {
        site.machines()
                .forEach((name, group) -> group.driver().ifPresent(driver -> {
                    String path = "machines." + name + ".driver";
                    if (!findings.isUnsound(path)) {
                        group(name, group, driver, path);
                    }
                }));
    }

    /** Those of NVIDIA that a request may mean: none where it says no model, or one that the table does not know. */
    public static List<GpuCard> cards(Site site, Name group) {
        var machines = site.machines().get(group);
        return machines == null
                ? List.of()
                : machines.gpus().stream()
                        .filter(request -> request.vendor()
                                .map(vendor -> vendor.value().equals("nvidia"))
                                .orElse(true))
                        .flatMap(request -> request.model().stream())
                        .flatMap(model -> GpuTable.known().called(model).stream())
                        .toList();
    }

    private void group(Name name, MachineGroup group, NvidiaDriver driver, String path) {
        if (site.provider().containers(name)) {
            findings.fault(
                    Code.NOT_WITH_PROVIDER,
                    places.ofKey(path),
                    "A container has the kernel of its host, and so that host's driver.",
                    "Remove the key, and install the driver on the host of the containers.");
            return;
        }
        if (group.gpus().stream()
                .allMatch(request -> request.vendor()
                        .filter(vendor -> !vendor.value().equals("nvidia"))
                        .isPresent())) {
            findings.fault(
                    Code.NO_GPU,
                    places.ofKey(path),
                    "The group asks for no GPU of NVIDIA, so there is nothing to drive.",
                    "Add gpus: to the group, or remove the key.");
            return;
        }
        ofTheBranch(driver.minimum(), driver, path + ".minimum");
        ofTheBranch(driver.version(), driver, path + ".version");
        driver.cuda()
                .filter(cuda -> cuda.oldestBranch() > driver.branch())
                .ifPresent(cuda -> findings.fault(
                        Code.DRIVER_BRANCH,
                        places.of(path + ".cuda"),
                        "Programs of CUDA " + cuda + " run on drivers from " + cuda.oldestBranch() + " on, and not on "
                                + driver.branch() + ".",
                        "Take a newer branch, or an older CUDA."));
        for (int i = 0; i < group.gpus().size(); i++) {
            String request = Findings.parent(path) + ".gpus[" + i + "].model";
            var model = group.gpus().get(i).model();
            if (model.isPresent() && !findings.isUnsound(request)) {
                var cards = GpuTable.known().called(model.get());
                // Where a model may mean several, only what holds for all of them is a fault.
                cards.stream()
                        .filter(card -> cards.stream().allMatch(other -> fault(other, driver) == fault(card, driver)))
                        .findFirst()
                        .ifPresent(card -> tell(card, driver, path));
            }
        }
    }

    private void ofTheBranch(Optional<String> version, NvidiaDriver driver, String path) {
        version.filter(text -> !text.startsWith(driver.branch() + "."))
                .ifPresent(text -> findings.fault(
                        Code.DRIVER_BRANCH,
                        places.of(path),
                        text + " is of another branch than " + driver.branch() + ".",
                        "Write a version of the branch, or another branch."));
    }

    private enum Fault {
        NONE,
        TOO_OLD,
        TOO_NEW,
        OPEN_NEEDED,
        PROPRIETARY_NEEDED,
        CUDA_TOO_NEW
    }

    private static Fault fault(GpuCard card, NvidiaDriver driver) {
        var architecture = card.architecture();
        if (architecture.firstBranch().filter(first -> first > driver.branch()).isPresent()) {
            return Fault.TOO_OLD;
        }
        if (architecture.lastBranch().filter(last -> last < driver.branch()).isPresent()) {
            return Fault.TOO_NEW;
        }
        if (driver.isOpen() && architecture.modules() == Modules.PROPRIETARY) {
            return Fault.PROPRIETARY_NEEDED;
        }
        if (!driver.isOpen() && architecture.modules() == Modules.OPEN) {
            return Fault.OPEN_NEEDED;
        }
        return driver.cuda().filter(cuda -> isTooNew(cuda, architecture)).isPresent() ? Fault.CUDA_TOO_NEW : Fault.NONE;
    }

    private static boolean isTooNew(CudaVersion cuda, GpuArchitecture architecture) {
        return architecture.lastCuda().filter(last -> last.compareTo(cuda) < 0).isPresent();
    }

    private void tell(GpuCard card, NvidiaDriver driver, String path) {
        var architecture = card.architecture();
        var who = card.model() + " (" + architecture.words() + ")";
        switch (fault(card, driver)) {
            case NONE -> {}
            case TOO_OLD ->
                fault(
                        path + ".branch",
                        who + " is driven from branch "
                                + architecture.firstBranch().orElseThrow() + " on.",
                        "Take that branch, or a newer one.");
            case TOO_NEW ->
                fault(
                        path + ".branch",
                        "The last branch that drives " + who + " is "
                                + architecture.lastBranch().orElseThrow() + ".",
                        "Take that branch, or an older one.");
            case OPEN_NEEDED ->
                fault(
                        path,
                        who + " is driven by the open kernel modules only.",
                        "Write modules: open, and name the packages that bring them.");
            case PROPRIETARY_NEEDED ->
                fault(
                        path + ".modules",
                        "The open kernel modules drive cards from Turing on, and no " + who + ".",
                        "Write modules: proprietary, and name the packages that bring them.");
            case CUDA_TOO_NEW ->
                fault(
                        path + ".cuda",
                        "The last CUDA that builds for " + who + " is "
                                + architecture.lastCuda().orElseThrow() + ".",
                        "Take an older CUDA, or other cards.");
        }
    }

    private void fault(String place, String why, String fix) {
        findings.faultOnce(Code.DRIVER_BRANCH, places.of(place), why, fix);
    }
}
