package io.deepsite.service.sites;

import io.deepsite.service.catalogue.Amounts;
import io.deepsite.site.Key;
import io.deepsite.site.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the sites of a project may take at a time. */
public record Quota(
        @Key(value = "Sites.", example = "5", min = 0, max = 100_000)
        Optional<Integer> sites,

        @Key(value = "Machines.", example = "20", min = 0, max = 100_000)
        Optional<Integer> machines,

        @Key(value = "Processors.", example = "64", min = 0, max = 1_000_000)
        Optional<Integer> cpus,

        @Key(value = "Memory.", example = "256GiB") Optional<Size> memory,

        @Key(value = "GPUs.", example = "4", min = 0, max = 100_000)
        Optional<Integer> gpus,

        @Key(value = "GPUs times the hours that sites hold them, in a calendar month of UTC.", example = "500", min = 0)
        Optional<Integer> gpuHours) {

    public static final Quota NONE = new Quota(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * One thing that is counted.
     *
     * @param unit what the numbers count: bytes for memory
     * @param limit empty: none
     * @param asked what this order adds
     */
    public record Share(String name, String unit, long used, long asked, Optional<Long> limit) {
        /** Who asks for nothing always fits, also where a limit was lowered. */
        public boolean fits() {
            return limit.isEmpty() || asked == 0 || used + asked <= limit.get();
        }

        /** Whether it would fit if nothing else were there. */
        public boolean canEverFit() {
            return limit.isEmpty() || asked <= limit.get();
        }
    }

    /** @param usedHours GPU hours of this month, with those that present sites still may take */
    public List<Share> shares(Amounts used, double usedHours, Amounts asked, double askedHours) {
        var all = new ArrayList<Share>();
        all.add(share("sites", "", used.sites(), asked.sites(), sites));
        all.add(share("machines", "", used.machines(), asked.machines(), machines));
        all.add(share("cpus", "", used.cpus(), asked.cpus(), cpus));
        all.add(new Share("memory", "bytes", used.memory(), asked.memory(), memory.map(Size::bytes)));
        all.add(share("gpus", "", used.gpus(), asked.gpus(), gpus));
        all.add(share("gpuHours", "hours", Math.round(usedHours), (long) Math.ceil(askedHours), gpuHours));
        return all;
    }

    private static Share share(String name, String unit, long used, long asked, Optional<Integer> limit) {
        return new Share(name, unit, used, asked, limit.map(Integer::longValue));
    }
}
