package io.deepsite.remote;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One script that probes everything requested, and the question behind each number in its answer.
 *
 * @param questions in the order of their numbers, from 1
 */
record ProbeScript(String nonce, List<Question> questions) {
    private static final String LIBRARY = library();

    ProbeScript {
        questions = List.copyOf(questions);
    }

    /** The subject of one number. */
    sealed interface Question {
        record Facts() implements Question {}

        /** The devices on the PCI bus. */
        record Bus() implements Question {}

        record OfItem(Item item) implements Question {}

        record OfAction(String role, Action action) implements Question {
            String key() {
                return role + "/" + action.id();
            }
        }

        record OfBytes(String path) implements Question {}
    }

    /** The facts, then every item and action; of several with one id, only the first. */
    static ProbeScript of(String nonce, Collection<Contract> contracts, boolean bus) {
        Map<String, Question> unique = new LinkedHashMap<>();
        unique.put("", new Question.Facts());
        if (bus) {
            unique.put("bus", new Question.Bus());
        }
        for (var contract : contracts) {
            contract.items().forEach(item -> unique.putIfAbsent(item.id(), new Question.OfItem(item)));
        }
        for (var contract : contracts) {
            for (var action : contract.actions()) {
                var question = new Question.OfAction(contract.role(), action);
                unique.putIfAbsent("action:" + question.key(), question);
            }
        }
        return new ProbeScript(nonce, List.copyOf(unique.values()));
    }

    /** The bytes of some files, at most 1 MiB each. */
    static ProbeScript fetching(String nonce, Collection<String> paths) {
        return new ProbeScript(
                nonce, paths.stream().<Question>map(Question.OfBytes::new).toList());
    }

    String text() {
        var script = new StringBuilder(LIBRARY).append("\nprobe_all() {\n");
        call(script, List.of("probe_begin", nonce));
        // These run in the background, in parallel with the others.
        calls(script, question -> question instanceof Question.OfAction);
        calls(script, question -> !(question instanceof Question.OfAction));
        // The shell reads the whole function before running it, so no command can consume the rest of the script.
        return script.append("    probe_end\n}\nprobe_all </dev/null\n").toString();
    }

    private void calls(StringBuilder script, Predicate<Question> which) {
        for (int i = 0; i < questions.size(); i++) {
            var question = questions.get(i);
            if (which.test(question) && askable(question)) {
                call(script, words(i + 1, question));
            }
        }
    }

    /** The numbers under which this script asks the other's questions, in the other's order; empty if it lacks one. */
    Optional<List<Integer>> numbersOf(ProbeScript other) {
        var numbers = new HashMap<List<String>, Integer>();
        for (int i = 0; i < questions.size(); i++) {
            numbers.putIfAbsent(words(0, questions.get(i)), i + 1);
        }
        var found = other.questions.stream()
                .flatMap(question -> Optional.ofNullable(numbers.get(words(0, question))).stream())
                .toList();
        return Optional.of(found).filter(all -> all.size() == other.questions.size());
    }

    /** Names and paths travel in lists with one line each; no legitimate name has a control character. */
    static boolean askable(Question question) {
        var words = words(0, question);
        return words.stream().noneMatch(word -> word.indexOf('\0') >= 0)
                && (!nameOnItsOwnLine(question)
                        || words.stream().flatMapToInt(String::chars).noneMatch(sign -> sign < ' '));
    }

    /** How many of the questions run a command of unknown length. */
    int commands() {
        Predicate<Question> runs =
                question -> question instanceof Question.OfAction || question instanceof Question.OfItem(Item.Probe _);
        return (int) questions.stream().filter(runs).count();
    }

    private static boolean nameOnItsOwnLine(Question question) {
        return question instanceof Question.OfItem ofItem
                && switch (ofItem.item()) {
                    case Item.Ini _, Item.Line _, Item.Kernel _, Item.Probe _ -> false;
                    case Item.Repository _,
                            Item.DebianPackage _,
                            Item.Group _,
                            Item.User _,
                            Item.Directory _,
                            Item.Link _,
                            Item.File _,
                            Item.Mount _,
                            Item.Service _ -> true;
                };
    }

    private static void call(StringBuilder script, List<String> words) {
        script.append("    ").append(words.getFirst());
        words.stream().skip(1).forEach(word -> script.append(' ').append(ShellWord.quote(word)));
        script.append('\n');
    }

    private static List<String> words(int number, Question question) {
        var n = Integer.toString(number);
        return switch (question) {
            case Question.Facts _ -> List.of("probe_facts", n);
            case Question.Bus _ -> List.of("probe_bus", n);
            case Question.OfBytes(var path) -> List.of("probe_fetch", n, path);
            case Question.OfAction ofAction ->
                argv("probe_done", n, ofAction.action().done());
            case Question.OfItem(var item) -> words(n, item);
        };
    }

    private static List<String> words(String n, Item item) {
        return switch (item) {
            case Item.Repository repository -> List.of("probe_repository", n, repository.name());
            case Item.DebianPackage debian -> List.of("probe_package", n, debian.name());
            case Item.Group group -> List.of("probe_group", n, group.name());
            case Item.User user -> List.of("probe_user", n, user.name());
            case Item.Directory directory -> List.of("probe_directory", n, directory.path());
            case Item.Link link -> List.of("probe_link", n, link.path());
            case Item.File file -> List.of("probe_file", n, file.path());
            case Item.Ini ini -> List.of("probe_ini", n, ini.path(), ini.section(), ini.option());
            case Item.Line line -> List.of("probe_line", n, line.path(), line.id());
            case Item.Mount mount -> List.of("probe_mount", n, mount.path());
            case Item.Kernel kernel -> {
                var words = new ArrayList<>(List.of("probe_kernel", n, kernel.what(), kernel.name()));
                kernel.value().ifPresent(words::add);
                yield words;
            }
            case Item.Service service -> List.of("probe_service", n, service.unit());
            case Item.Probe probe -> argv("probe_probe", n, probe.run());
        };
    }

    private static List<String> argv(String function, String n, List<String> argv) {
        var words = new ArrayList<>(List.of(function, n));
        words.addAll(argv);
        return words;
    }

    private static String library() {
        try (var in = Objects.requireNonNull(ProbeScript.class.getResourceAsStream("probe.sh"), "probe.sh")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
