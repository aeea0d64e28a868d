package io.deepsite.cluster.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A major release of Slurm, such as 22.05, and what it may be upgraded to.
 *
 * @param place among {@link #KNOWN}
 */
record SlurmRelease(String name, int place) implements Comparable<SlurmRelease> {
    static final String PATTERN = "[0-9]{2}\\.[0-9]{2}";

    /** SchedMD's Upgrade Guide and the releases' notes, up to those of November 2026. */
    static final List<String> KNOWN = List.of(
            "17.11", "18.08", "19.05", "20.02", "20.11", "21.08", "22.05", "23.02", "23.11", "24.05", "24.11", "25.05",
            "25.11", "26.05", "26.11");

    /** The first with the shorter cycle, which takes over from three releases before it; those before it from two. */
    private static final String SHORTER_CYCLE = "24.11";

    /** Empty for one that is none, or that came after this deepsite. */
    static Optional<SlurmRelease> of(String name) {
        int place = KNOWN.indexOf(name);
        return place < 0 ? Optional.empty() : Optional.of(new SlurmRelease(name, place));
    }

    private static SlurmRelease at(int place) {
        return new SlurmRelease(KNOWN.get(place), place);
    }

    /** The oldest release whose database, state, daemons and jobs this one takes over. */
    SlurmRelease oldestBefore() {
        int window = place >= KNOWN.indexOf(SHORTER_CYCLE) ? 3 : 2;
        return at(Math.max(0, place - window));
    }

    /** Whether this release may follow directly on the other one; also when both are the same. */
    boolean takesOver(SlurmRelease before) {
        return before.place <= place && before.place >= oldestBefore().place;
    }

    /** The fewest releases by which one gets here, this one last; none from a newer one. */
    List<SlurmRelease> pathFrom(SlurmRelease before) {
        var path = new ArrayList<SlurmRelease>();
        var now = before;
        while (now.place < place) {
            int next = place;
            while (!at(next).takesOver(now)) {
                next--;
            }
            now = at(next);
            path.add(now);
        }
        return path;
    }

    boolean isBefore(String other) {
        return place < KNOWN.indexOf(other);
    }

    @Override
    public int compareTo(SlurmRelease other) {
        return Integer.compare(place, other.place);
    }

    @Override
    public String toString() {
        return name;
    }
}
