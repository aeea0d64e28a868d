package io.deepsite.remote;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout;
import io.deepsite.remote.ProbeScript.Question;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/**
 * Probes hosts: everything about one host in one round trip, all hosts concurrently. Reads and never writes. An
 * unreachable host does not affect the others.
 */
public final class HostProbe implements AutoCloseable {
    /** More gain nothing on one computer: the cryptography of 32 logins keeps it busy. */
    public static final int USUAL_LIMIT = 32;

    /** Which texts to fetch: those of files without secrets whose digest differs. */
    public static final BiPredicate<Item.File, Seen> DIFFERING = (file, seen) -> !file.secret()
            && seen.text("type").equals("file")
            && !seen.text("sha256").equals(file.body());

    public static final BiPredicate<Item.File, Seen> NO_TEXTS = (_, _) -> false;

    private static final int LARGEST_ANSWER = 32 * 1024 * 1024;
    /** The number of 1 MiB files that fit in one answer, in base64. */
    private static final int FILES_AT_ONCE = 16;

    private static final Duration ALLOWANCE = Duration.ofSeconds(90);
    /** The limit of probe.sh for one command, plus a margin. */
    private static final Duration COMMAND = Duration.ofSeconds(126);

    private final Remote remote;
    private final int limit;
    private final ProbePrefetch early = new ProbePrefetch();
    private final SecureRandom random = new SecureRandom();

    public HostProbe(Remote remote, int limit) {
        this.remote = remote;
        this.limit = limit;
    }

    /**
     * What to probe on one host.
     *
     * @param contracts wanted and recorded ones; of items with the same id only the first is probed. None: only the
     *     facts
     * @param texts files to fetch
     * @param bus also the devices on the PCI bus
     */
    public record Look(SshTarget target, List<Contract> contracts, BiPredicate<Item.File, Seen> texts, boolean bus) {
        public Look {
            contracts = List.copyOf(contracts);
        }

        public Look(SshTarget target, List<Contract> contracts, BiPredicate<Item.File, Seen> texts) {
            this(target, contracts, texts, false);
        }

        /** All items, no file texts. */
        public Look(SshTarget target, List<Contract> contracts) {
            this(target, contracts, NO_TEXTS);
        }

        /** Only the host's facts. */
        public static Look atFacts(SshTarget target, boolean bus) {
            return new Look(target, List.of(), NO_TEXTS, bus);
        }
    }

    /** The result for one host. */
    public sealed interface Reply {
        record Answered(ProbeAnswer answer) implements Reply {}

        /** At least one error: why the host could not be probed. */
        record Silent(List<Diagnostic> diagnostics) implements Reply {}

        default Optional<ProbeAnswer> found() {
            return this instanceof Answered(var answer) ? Optional.of(answer) : Optional.empty();
        }
    }

    /**
     * Starts probes that are likely to be needed; the next {@link #probe} of the same target uses the result if it
     * covers everything requested.
     */
    public void begin(List<Early> looks) {
        early.begin(looks, this::begun);
    }

    /**
     * @param contracts computed during the login
     * @param bus also the devices on the PCI bus
     */
    public record Early(SshTarget target, Supplier<List<Contract>> contracts, boolean bus) {}

    private ProbePrefetch.Begun begun(Early look) {
        var contracts = CompletableFuture.supplyAsync(look.contracts());
        var host = remote.open(look.target());
        boolean asked = false;
        try {
            var script = ProbeScript.of(nonce(), contracts.join(), look.bus());
            var begun = new ProbePrefetch.Begun(host, script, ask(host, script));
            asked = true;
            return begun;
        } finally {
            if (!asked) {
                host.close();
            }
        }
    }

    @Override
    public void close() {
        early.close();
    }

    /**
     * @return by target name
     * @throws Failure CANCELLED only
     */
    public SortedMap<String, Reply> probe(Collection<Look> looks) {
        var byName = new TreeMap<String, Look>();
        looks.forEach(look -> byName.put(look.target().name(), look));
        var replies = new TreeMap<String, Reply>();
        Fanout.each(limit, byName.keySet(), name -> look(Objects.requireNonNull(byName.get(name))))
                .forEach((name, outcome) -> replies.put(name, reply(outcome)));
        return replies;
    }

    private static Reply reply(Fanout.Result<ProbeAnswer> outcome) {
        return switch (outcome) {
            case Fanout.Result.Done<ProbeAnswer>(var answer) -> new Reply.Answered(answer);
            case Fanout.Result.Failed<ProbeAnswer>(var diagnostics) -> new Reply.Silent(diagnostics);
        };
    }

    private ProbeAnswer look(Look look) {
        if (look.contracts().isEmpty()) {
            var facts = early.peek(look.target()).flatMap(begun -> begun.answer(List.of(), look.bus()));
            if (facts.isPresent()) {
                return facts.get();
            }
        }
        var begun = early.take(look.target());
        try (var host = begun.map(ProbePrefetch.Begun::host).orElseGet(() -> remote.open(look.target()))) {
            var answer = begun.flatMap(asked -> asked.answer(look.contracts(), look.bus()))
                    .orElseGet(() -> answer(host, look));
            var paths = look.contracts().stream()
                    .flatMap(contract -> contract.items().stream())
                    .filter(item ->
                            item instanceof Item.File file && look.texts().test(file, answer.of(item)))
                    .map(item -> ((Item.File) item).path())
                    .distinct()
                    .toList();
            return answer.with(fetch(host, paths));
        }
    }

    private ProbeAnswer answer(RemoteHost host, Look look) {
        var script = ProbeScript.of(nonce(), look.contracts(), look.bus());
        return ProbeAnswer.of(script, ask(host, script));
    }

    private SortedMap<String, String> fetch(RemoteHost host, List<String> paths) {
        var texts = new TreeMap<String, String>();
        for (int from = 0; from < paths.size(); from += FILES_AT_ONCE) {
            var some = paths.subList(from, Math.min(paths.size(), from + FILES_AT_ONCE));
            var script = ProbeScript.fetching(nonce(), some);
            var raw = ask(host, script);
            for (int i = 0; i < some.size(); i++) {
                var path = some.get(i);
                text(raw.seen(i + 1, new Question.OfBytes(path))).ifPresent(text -> texts.put(path, text));
            }
        }
        return texts;
    }

    private ProbeAnswer.Raw ask(RemoteHost host, ProbeScript script) {
        var limit = ALLOWANCE.plus(COMMAND.multipliedBy(script.commands()));
        var output = host.sh(script.text(), limit, LARGEST_ANSWER);
        var raw = ProbeAnswer.Raw.read(script.nonce(), output.stdout());
        if (!raw.complete()) {
            throw torn(host.target(), output);
        }
        raw.unanswered(script).ifPresent(action -> {
            throw SshFaults.unanswered(host.target(), action);
        });
        return raw;
    }

    private static Failure torn(SshTarget target, RemoteHost.Output output) {
        var tail = output.stderrTail(5);
        return new Failure(Diagnostic.error(
                Code.ANSWER_TORN,
                "The probe of " + target + " broke off (exit code " + output.exit() + ", "
                        + output.stdout().length() + " characters of answer"
                        + (output.cut() ? ", too many" : "") + "), so the state of the host is unknown."
                        + (tail.isEmpty() ? "" : " It said: " + tail),
                "A full disk, a lack of memory or a login program other than a shell can cause this. Log in and check:",
                SshFaults.ssh(target, "")));
    }

    private static Optional<String> text(Seen seen) {
        if (seen.text("base64").isEmpty() && !seen.text("size").equals("0")) {
            return Optional.empty();
        }
        try {
            var bytes = Base64.getDecoder().decode(seen.text("base64"));
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return Optional.of(text.toString()).filter(shown -> shown.indexOf('\0') < 0);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            // Not a text: the plan shows only its digest.
            return Optional.empty();
        }
    }

    private String nonce() {
        var bytes = new byte[8];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
