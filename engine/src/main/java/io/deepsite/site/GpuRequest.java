package io.deepsite.site;

import io.deepsite.diag.Code;
import java.util.List;
import java.util.Optional;

/** GPUs that each machine of a group must have: a requirement that every provider maps to its own means. */
public record GpuRequest(
        @Key(
                value = "Vendor of the card.",
                example = "nvidia",
                choices = {"nvidia", "amd", "intel"},
                impact = ChangeImpact.REBOOT)
        Optional<Name> vendor,

        @Key(
                value = "Model, matched without case, spaces and hyphens.",
                example = "tesla-k20m",
                impact = ChangeImpact.REBOOT,
                confined = true)
        Optional<String> model,

        @Key(
                value = "How many per machine.",
                defaultValue = "1",
                example = "2",
                excludes =
                        @OtherKeys(
                                value = "pci",
                                why = "The list of addresses says how many cards there are.",
                                code = Code.NO_EFFECT),
                impact = ChangeImpact.REBOOT,
                min = 1,
                max = 64)
        int count,

        @Key(
                value = "Exact cards, for a group of one machine.",
                example = "[\"0000:17:00.0\"]",
                impact = ChangeImpact.REBOOT)
        List<PciAddress> pci,

        @Key(value = "A MIG profile instead of a whole card.", example = "1g.5gb", notYet = true)
        Optional<String> mig) {

    public GpuRequest {
        pci = List.copyOf(pci);
    }

    public int cards() {
        return pci.isEmpty() ? count : pci.size();
    }
}
