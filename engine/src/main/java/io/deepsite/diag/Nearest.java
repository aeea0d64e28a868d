package io.deepsite.diag;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** "Did you mean": the nearest known word, if it is near enough to be a typing error. */
public final class Nearest {
    private static final int LONGEST = 64;

    private Nearest() {}

    public static Optional<String> to(String written, Collection<String> known) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        String lower = written.toLowerCase(Locale.ROOT);
        String best = null;
        int least = Math.clamp(lower.length() / 3, 1, 2) + 1;
        for (String word : known) {
            if (Math.abs(lower.length() - word.length()) >= least) {
                continue;
            }
            int distance = distance(lower, word.toLowerCase(Locale.ROOT));
            if (distance < least && distance < word.length()) {
                least = distance;
                best = word;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Counts letters added, removed or changed, and neighbours swapped. */
    private static int distance(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1), cost[i - 1][j - 1] + change);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[from.length()][to.length()];
    }
}
