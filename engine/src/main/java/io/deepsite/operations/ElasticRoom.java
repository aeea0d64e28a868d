package io.deepsite.operations;

import io.deepsite.site.Site;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;

/** How many elastic machines a site may have, beside what {@code max} says: for a quota. Called by one thread. */
public interface ElasticRoom {
    /** For who has the back-end for oneself. */
    ElasticRoom ENDLESS = new ElasticRoom() {
        @Override
        public Optional<String> take(Site with) {
            return Optional.empty();
        }

        @Override
        public void has(SortedSet<String> machines, Site with) {}

        @Override
        public <T> T during(Supplier<T> change) {
            return change.get();
        }
    };

    /**
     * One more machine is wanted.
     *
     * @param with the site with all machines that it would have then
     * @return why it may not; empty if it may, and counts for it from now on
     */
    Optional<String> take(Site with);

    /**
     * What there is, after each look.
     *
     * @param machines the elastic ones
     * @param with the site with them
     */
    void has(SortedSet<String> machines, Site with);

    /** Around each plan and its apply; may wait. */
    <T> T during(Supplier<T> change);
}
