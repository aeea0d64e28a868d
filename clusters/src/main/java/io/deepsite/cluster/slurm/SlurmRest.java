package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.secrets;
import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.provider.Machine;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.load.CheckContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Slurm's REST interface: what the key {@code rest} adds to a cluster. Nothing without the key. */
final class SlurmRest {
    static final int PORT = 6820;
    static final Duration LONGEST_TOKEN = Duration.ofDays(30);

    private static final String RELEASE = "debian/12";

    private final Name name;
    private final Slurm slurm;

    SlurmRest(Name name, Slurm slurm) {
        this.name = name;
        this.slurm = slurm;
    }

    /** Of hosts without an image nothing is known before they are asked. */
    void check(CheckContext context) {
        if (slurm.rest().isEmpty()) {
            return;
        }
        Optional.ofNullable(context.site().machines().get(slurm.controller()))
                .flatMap(MachineGroup::image)
                .map(ImageName::value)
                .filter(image -> !image.equals(RELEASE))
                .ifPresent(image -> context.findings()
                        .fault(
                                Code.NOT_WITH_RELEASE,
                                context.places().of("clusters." + name + ".rest"),
                                "deepsite knows the interface of Slurm 22.05, version 0.0.38, which " + RELEASE
                                        + " has; the controller is " + image + ".",
                                "Use " + RELEASE + ", or remove the key."));
    }

    /** What the controller's role takes for it; nothing without the key. */
    Map<String, Object> controller() {
        return slurm.rest()
                .map(rest -> Map.<String, Object>of(
                        "slurm_controller_jwt",
                        secrets(slurm, name),
                        "slurm_controller_own_tokens",
                        rest.ownTokens(),
                        "slurm_controller_longest_token",
                        LONGEST_TOKEN.toSeconds()))
                .orElse(Map.of());
    }

    /** Before slurm.conf names the plugin: no program of Slurm starts without a plugin that it names. */
    List<Stage> before(List<Machine> machines) {
        return slurm.rest().stream()
                .map(_ ->
                        stage(name, "slurm_jwt", in(slurm.groups(), machines), _ -> Map.of(), List.of(name + ".munge")))
                .toList();
    }

    List<Stage> after(List<Machine> machines) {
        return slurm.rest().stream()
                .map(_ -> stage(
                        name,
                        "slurm_rest",
                        in(slurm.controller(), machines),
                        _ -> Map.of("slurm_rest_port", PORT),
                        List.of(name + ".slurm_controller")))
                .toList();
    }

    List<Acceptance> acceptance(List<Machine> machines) {
        return slurm.rest().stream()
                .map(_ -> {
                    var variables = new TreeMap<String, Object>();
                    variables.put("rest_verify_user", SiteStages.VERIFY_USER);
                    variables.put("rest_verify_port", PORT);
                    return new Acceptance(
                            name.value(),
                            slurm.kind(),
                            in(slurm.controller(), machines).getFirst().name(),
                            "slurm/verify-rest.sh.j2",
                            variables);
                })
                .toList();
    }
}
