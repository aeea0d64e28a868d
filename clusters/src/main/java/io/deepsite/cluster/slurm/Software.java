package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.OtherKeys;
import java.util.List;
import java.util.Optional;

/** What the users of a Slurm cluster find on its machines, the controller among them. */
public record Software(
        @Key(
                value = "The MPI library, from the distribution, with Python's mpi4py. srun starts its jobs by PMIx.",
                choices = {"openmpi"},
                example = "openmpi",
                impact = ChangeImpact.FILE)
        Optional<String> mpi,

        @Key(
                value = "The command `module`, for environments that users load and unload.",
                choices = {"lmod", "environment-modules"},
                example = "lmod",
                impact = ChangeImpact.FILE)
        Optional<String> modules,

        @Key(
                value = "Folders with modulefiles of the site's own, for example in the shared /home. Full paths.",
                example = "[/home/modules]",
                pattern = "/[A-Za-z0-9._/-]+",
                requires = @OtherKeys(value = "modules", why = "The command module looks into these folders."),
                impact = ChangeImpact.FILE,
                confined = true)
        List<String> modulePath,

        @Key(
                value = "Container tools that need no root. All but udocker and apptainer come from the distribution.",
                choices = {"podman", "charliecloud", "udocker", "apptainer"},
                example = "[podman, charliecloud]",
                impact = ChangeImpact.FILE)
        List<String> containers,

        @Key(value = "Where udocker comes from; no distribution has it.", impact = ChangeImpact.FILE)
        Optional<Udocker> udocker,

        @Key(
                value = "Where Apptainer comes from, if not from a package `apptainer` of the machines' repositories.",
                impact = ChangeImpact.FILE)
        Optional<Archive> apptainer,

        @Key(value = "The machines have InfiniBand or RoCE cards, and MPI uses them.", impact = ChangeImpact.FILE)
        Optional<Infiniband> infiniband,

        @Key(
                value = "Further packages of the machines' repositories: compilers, libraries, editors.",
                example = "[gcc, gfortran, libopenmpi-dev]",
                pattern = "[a-z0-9][a-z0-9.+-]+",
                impact = ChangeImpact.FILE,
                confined = true)
        List<String> packages) {
    static final String SOURCE = "(/|https?://)[^\\s\"']+";
    static final String SHA256 = "[0-9a-f]{64}";
    static final String SUM = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    public Software {
        modulePath = List.copyOf(modulePath);
        containers = List.copyOf(containers);
        packages = List.copyOf(packages);
    }

    /** A file, known by its checksum. */
    public record Archive(
            @Key(
                    value =
                            "A file on this machine (a full path), or an http(s) address: for Apptainer a package (.deb).",
                    example = "https://files.example.org/apptainer_1.5.3_amd64.deb",
                    pattern = SOURCE,
                    impact = ChangeImpact.FILE)
            String archive,

            @Key(
                    value = "Its checksum, 64 hexadecimal digits (sha256sum).",
                    example = SUM,
                    pattern = SHA256,
                    impact = ChangeImpact.FILE,
                    confined = true)
            String sha256) {}

    /** udocker's program, and what runs its containers. */
    public record Udocker(
            @Key(
                    value =
                            "A release of udocker, or an archive of its sources: a file on this machine (a full path), or an"
                                    + " http(s) address.",
                    example = "https://files.example.org/udocker-1.3.16.tar.gz",
                    pattern = SOURCE,
                    impact = ChangeImpact.FILE)
            String archive,

            @Key(
                    value = "Its checksum, 64 hexadecimal digits (sha256sum).",
                    example = SUM,
                    pattern = SHA256,
                    impact = ChangeImpact.FILE,
                    confined = true)
            String sha256,

            @Key(
                    value = "The engines and libraries of udocker's makers (udocker-englib). Without them proot of the"
                            + " distribution runs its containers.",
                    impact = ChangeImpact.FILE)
            Optional<Archive> engine,

            @Key(
                    value = "How new containers run: P is proot, F fakechroot, R runc, S Apptainer. Users change it by"
                            + " `udocker setup`.",
                    defaultValue = "P1",
                    choices = {"P1", "P2", "F1", "F2", "F3", "F4", "R1", "R2", "R3", "S1"},
                    impact = ChangeImpact.FILE)
            String mode) {}

    /** Cards with remote memory access. */
    public record Infiniband(
            @Key(
                    value = "Ports that MPI uses, as card:port (UCX_NET_DEVICES); all when left out.",
                    example = "[\"mlx5_0:1\"]",
                    pattern = "[A-Za-z0-9_]+(:[0-9]+)?",
                    impact = ChangeImpact.FILE,
                    confined = true)
            List<String> devices) {
        public Infiniband {
            devices = List.copyOf(devices);
        }
    }

    boolean usesPmix() {
        return mpi.isPresent();
    }

    boolean has(String tool) {
        return containers.contains(tool);
    }
}
