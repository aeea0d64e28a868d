package io.deepsite.site;

import io.deepsite.diag.Code;
import java.util.List;
import java.util.Optional;

/** The driver of hosts that use cards of NVIDIA themselves. */
public record NvidiaDriver(
        @Key(
                value = "Branch: the first number of the driver's version. Packages of another one are not installed.",
                example = "535",
                min = 300,
                max = 999,
                impact = ChangeImpact.FILE)
        int branch,

        @Key(
                value =
                        "Its packages in the hosts' own repositories or in `repository`, kernel modules included; apt then"
                                + " holds them back from upgrades.",
                example = "[nvidia-driver, nvidia-kernel-dkms]",
                pattern = "[a-z0-9][a-z0-9.+-]+",
                required = true,
                impact = ChangeImpact.FILE,
                confined = true)
        List<String> packages,

        @Key(
                value = "The oldest version that will do, of the same branch.",
                example = "535.104.05",
                pattern = VERSION,
                excludes = @OtherKeys(value = "version", code = Code.NO_EFFECT),
                confined = true)
        Optional<String> minimum,

        @Key(
                value = "The one version, of the same branch. Hosts that have another are refused, not upgraded.",
                example = "535.183.01",
                pattern = VERSION,
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<String> version,

        @Key(value = "The apt repository with these packages, if the hosts have none.", impact = ChangeImpact.FILE)
        Optional<DriverRepository> repository,

        @Key(
                value = "Whether these packages bring the open kernel modules. Cards before Turing need the proprietary"
                        + " ones, Blackwell the open ones.",
                defaultValue = "proprietary",
                choices = {"proprietary", "open"},
                impact = ChangeImpact.FILE)
        String modules,

        @Key(
                value = "The newest CUDA toolkit that programs are built with; branch and cards are compared with it.",
                example = "12.4",
                pattern = CudaVersion.PATTERN,
                confined = true)
        Optional<CudaVersion> cuda) {

    static final String VERSION = "[0-9]{3}\\.[0-9]{2,3}(\\.[0-9]{2})?";

    public NvidiaDriver {
        packages = List.copyOf(packages);
    }

    public boolean isOpen() {
        return modules.equals("open");
    }
}
