package io.deepsite;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Damaged and made-up texts for a parser, which has to end with a value or with the failure that it declares, on the stack
 * that the tool's main thread has, and with work in proportion to the text.
 *
 * <p>As a unit test it takes the same texts each time, some hundred. {@code -Dfuzz.minutes=5} continues with others for that
 * time, {@code -Dfuzz.seed=N} takes those of that seed.
 */
public final class Fuzz {
    private static final int ROUNDS = 250;
    private static final long USUAL_SEED = 20_261_122;
    private static final long STACK = 1024 * 1024;
    /** Allocated bytes measure the work: the same count on a busy machine. Classes are loaded in the first round. */
    private static final long ALLOCATED_ONCE = 256L << 20;

    private static final long ALLOCATED_PER_CHARACTER = 8 * 1024;
    private static final int LONGEST = 200_000;
    private static final String PIECES = "{}[]()<>:,-#&*!|'\"\\%@`\n\t $/=;.0aé\u0000\u0001\u2028\uD83D";

    private static final List<String> WORDS = List.of(
            "null",
            "true",
            "-1",
            "1e999",
            "99999999999999999999",
            "0.0000001",
            "{}",
            "[]",
            "\"\"",
            "{\"a\":null}",
            "[null]",
            "&k",
            "*k",
            "<<",
            "${x}",
            "!!binary ",
            "? ",
            "---\n",
            "<!DOCTYPE a>",
            "<![CDATA[",
            "]]>",
            "&#0;",
            "&amp;",
            "\\u0000");

    private final Random random;
    private final List<String> samples;

    private Fuzz(long seed, List<String> samples) {
        this.random = new Random(seed);
        this.samples = samples;
    }

    /** Throws nothing but what it declares. */
    public interface Parser {
        void parse(String text) throws Exception;
    }

    /**
     * @param declared what the parser may throw
     * @param samples texts that it takes
     */
    @SafeVarargs
    public static void run(String what, List<String> samples, Parser parser, Class<? extends Exception>... declared) {
        int minutes = Integer.getInteger("fuzz.minutes", 0);
        long seed = Long.getLong("fuzz.seed", minutes > 0 ? System.nanoTime() : USUAL_SEED);
        var fuzz = new Fuzz(seed, samples);
        var fault = new AtomicReference<@Nullable Throwable>();
        var thread = new Thread(null, () -> fuzz.all(what, seed, minutes, parser, List.of(declared)), "fuzz", STACK);
        thread.setUncaughtExceptionHandler((_, e) -> fault.set(e));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (fault.get() != null) {
            throw new AssertionError("fuzz " + what + ", seed " + seed, fault.get());
        }
    }

    private void all(String what, long seed, int minutes, Parser parser, List<Class<? extends Exception>> declared) {
        long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
        int round = 0;
        for (var text : extremes()) {
            one(what, round++, text, parser, declared);
        }
        while (round < ROUNDS || (minutes > 0 && System.nanoTime() < end)) {
            one(what, round++, damaged(), parser, declared);
        }
        System.out.println("fuzz " + what + ": " + round + " texts, seed " + seed);
    }

    private static void one(
            String what, int round, String text, Parser parser, List<Class<? extends Exception>> declared) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            parser.parse(text);
        } catch (Throwable e) {
            if (declared.stream().noneMatch(each -> each.isInstance(e))) {
                throw new AssertionError(
                        what + " round " + round + " threw " + e.getClass() + " for " + shown(text), e);
            }
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        if (allocated > ALLOCATED_ONCE + text.length() * ALLOCATED_PER_CHARACTER) {
            throw new AssertionError(
                    what + " round " + round + " allocated " + allocated + " bytes for " + shown(text));
        }
    }

    private static String shown(String text) {
        return text.length() + " characters: " + text.substring(0, Math.min(text.length(), 2_000));
    }

    /** What no damage leads to: depth, length, mass. */
    private static List<String> extremes() {
        var texts = new ArrayList<>(List.of("", " ", "\n", "null", "0", "\"", "\uFEFF", "[null]", "{\"a\":[null]}"));
        for (var open : List.of("[", "{\"a\":", "{a: ", "<a>", "- ", "? ", "(", "a:\n ", "&a [", "!t ")) {
            texts.add(open.repeat(LONGEST / open.length()));
        }
        texts.add("[".repeat(50_000) + "]".repeat(50_000));
        texts.add("<a>".repeat(20_000) + "</a>".repeat(20_000));
        texts.add("\"" + "a".repeat(LONGEST) + "\"");
        texts.add("<a>" + "a".repeat(LONGEST) + "</a>");
        texts.add("a: " + "9".repeat(LONGEST));
        texts.add("9".repeat(LONGEST));
        texts.add("1e" + "9".repeat(1_000));
        texts.add("[" + "1,".repeat(LONGEST / 2) + "1]");
        texts.add("? &k {? *k : 1}");
        texts.add("a: &a [*a]");
        var chain = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 40; i++) {
            chain.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
        }
        texts.add(chain.toString());
        return texts;
    }

    private String damaged() {
        var text = new StringBuilder(samples.get(random.nextInt(samples.size())));
        for (int change = random.nextInt(4); change >= 0 && text.length() < LONGEST; change--) {
            int at = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), at + random.nextInt(40));
            switch (random.nextInt(8)) {
                case 0 -> text.delete(at, to);
                case 1 -> text.insert(at, PIECES.charAt(random.nextInt(PIECES.length())));
                case 2 -> text.insert(at, WORDS.get(random.nextInt(WORDS.size())));
                case 3 -> text.setLength(at);
                case 4 -> text.insert(at, text.substring(at, to).repeat(random.nextInt(60)));
                case 5 -> text.replace(at, to, WORDS.get(random.nextInt(WORDS.size())));
                case 6 -> value(text, at);
                default -> {
                    var other = samples.get(random.nextInt(samples.size()));
                    int from = random.nextInt(other.length() + 1);
                    text.insert(at, other, from, Math.min(other.length(), from + random.nextInt(80)));
                }
            }
        }
        return text.toString();
    }

    /** Replaces the whole value or name around a place with a word. */
    private void value(StringBuilder text, int at) {
        int start = at;
        while (start > 0 && !isBetween(text.charAt(start - 1))) {
            start--;
        }
        int end = at;
        while (end < text.length() && !isBetween(text.charAt(end))) {
            end++;
        }
        text.replace(start, end, WORDS.get(random.nextInt(WORDS.size())));
    }

    private static boolean isBetween(char sign) {
        return ":,[]{}<> \n".indexOf(sign) >= 0;
    }
}
