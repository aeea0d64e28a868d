package io.deepsite.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** Names of hosts in short form, as Slurm writes them: {@code head, node-[1-40]}. */
public final class HostNames {
    private static final Pattern NUMBERED = Pattern.compile("(.*-)([1-9][0-9]{0,8})");
    /** Below this number, hosts are named one by one. */
    private static final int WORTH_A_RANGE = 3;

    private HostNames() {}

    /** Keeps the given order; only neighbours that count up become a range. */
    public static String brief(Collection<String> names) {
        var all = List.copyOf(names);
        var parts = new ArrayList<String>();
        for (int i = 0; i < all.size(); ) {
            int end = endOfRange(all, i);
            if (end - i < WORTH_A_RANGE) {
                parts.addAll(all.subList(i, end));
            } else {
                var first = NUMBERED.matcher(all.get(i));
                var last = NUMBERED.matcher(all.get(end - 1));
                parts.add(
                        first.matches() && last.matches()
                                ? first.group(1) + "[" + first.group(2) + "-" + last.group(2) + "]"
                                : all.get(i));
            }
            i = end;
        }
        return String.join(", ", parts);
    }

    /** {@code node-2} before {@code node-10}. */
    public static int compare(String one, String other) {
        var left = NUMBERED.matcher(one);
        var right = NUMBERED.matcher(other);
        if (left.matches() && right.matches() && left.group(1).equals(right.group(1))) {
            return Integer.compare(Integer.parseInt(left.group(2)), Integer.parseInt(right.group(2)));
        }
        return one.compareTo(other);
    }

    /** The text with a gap in place of this name, which is no part of a longer one. */
    public static String without(String name, String text) {
        var rest = new StringBuilder();
        int from = 0;
        for (int at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length())) {
            int end = at + name.length();
            boolean whole = (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))
                    && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
            rest.append(text, from, at).append(whole ? "\0" : name);
            from = end;
        }
        return rest.append(text, from, text.length()).toString();
    }

    private static int endOfRange(List<String> names, int start) {
        var first = NUMBERED.matcher(names.get(start));
        if (!first.matches()) {
            return start + 1;
        }
        int number = Integer.parseInt(first.group(2));
        int end = start + 1;
        while (end < names.size() && names.get(end).equals(first.group(1) + (number + end - start))) {
            end++;
        }
        return end;
    }
}
