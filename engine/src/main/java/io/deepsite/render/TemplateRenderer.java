package io.deepsite.render;

import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.interpret.UnknownTokenException;
import com.hubspot.jinjava.tree.Node;
import io.deepsite.contract.Marker;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.render.TemplateScanner.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders templates; each is read and parsed once. Those of extensions are checked first, by {@link TemplateRules}: deepsite's
 * own have passed that in its tests. May be used from many threads.
 */
public final class TemplateRenderer {
    private final DeepsiteHome home;
    private final Predicate<Path> isChecked;
    private final SandboxedJinja jinja = new SandboxedJinja();
    private final Map<String, Template> templates = new ConcurrentHashMap<>();

    public TemplateRenderer(DeepsiteHome home) {
        this(home, home::isOfExtension);
    }

    private TemplateRenderer(DeepsiteHome home, Predicate<Path> isChecked) {
        this.home = home;
        this.isChecked = isChecked;
    }

    /** One that checks deepsite's own templates, too. */
    static TemplateRenderer checkingAll(DeepsiteHome home) {
        return new TemplateRenderer(home, _ -> true);
    }

    boolean isChecked(Path file) {
        return isChecked.test(file);
    }

    /**
     * The text of a file, with secrets and facts as {@link Marker}s.
     *
     * @param template path below {@code templates/}
     * @param scope texts, whole numbers, booleans, lists and maps of these
     * @throws Failure if there is no such template, it contains a refused construct, or rendering fails
     */
    public String render(String template, Map<String, ?> scope) {
        return text(load(template), scope);
    }

    Template load(String template) {
        return templates.computeIfAbsent(template, name -> {
            var path = home.template(name)
                    .orElseThrow(() -> new Failure(Diagnostic.error(
                            Code.TEMPLATE_MISSING,
                            name + " is not below the folder templates.",
                            "Name a file below it.")));
            return compile(RoleText.read(path, Code.TEMPLATE_MISSING), isChecked(path));
        });
    }

    Template compile(RoleText source, boolean checked) {
        var segments = TemplateScanner.scan(source.text());
        var faults = checked ? TemplateRules.faults(source, segments) : List.<Diagnostic>of();
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        var expression = segments.size() == 1 && segments.getFirst().kind() == Kind.EXPRESSION
                ? Optional.of(segments.getFirst().inner())
                : Optional.<String>empty();
        var parsed = expression.isPresent() && segments.getFirst().closed()
                ? Optional.<Node>empty()
                : Optional.of(within(source, Map.of(), interpreter -> interpreter.parse(source.text())));
        return new Template(source, expression, TemplateNames.of(segments), parsed, new ConcurrentHashMap<>());
    }

    String text(Template template, Map<String, ?> scope) {
        return (String) once(template, scope, () -> newText(template, scope)).orElseThrow();
    }

    private String newText(Template template, Map<String, ?> scope) {
        var text = within(
                template.source(),
                scope,
                interpreter -> interpreter.render(
                        template.parsed()
                                .orElseGet(() ->
                                        interpreter.parse(template.source().text())),
                        false));
        if (Marker.close(text, _ -> "", _ -> "").chars().anyMatch(c -> c == '\u0001' || c == '\u0002')) {
            throw new Failure(Diagnostic.error(
                    Code.TEMPLATE_FAILED,
                    template.source().where(1),
                    "A filter changed the placeholder of a secret or of a fact that is not known yet.",
                    "Write such a value as it is, without a filter that changes its letters."));
        }
        return text;
    }

    /** The value if the template is one expression, else its text. */
    @Nullable
    Object value(Template template, Map<String, ?> scope) {
        if (template.expression().isEmpty()) {
            return text(template, scope);
        }
        return once(
                        template,
                        scope,
                        () -> within(
                                template.source(),
                                scope,
                                interpreter -> Plain.of(interpreter.resolveELExpression(
                                        template.expression().get(), 1))))
                .orElse(null);
    }

    private static Optional<Object> once(Template template, Map<String, ?> scope, Supplier<@Nullable Object> render) {
        requireNames(template, scope);
        var values = new ArrayList<@Nullable Object>();
        template.names().used().forEach(name -> values.add(scope.get(name)));
        return template.rendered().computeIfAbsent(values, _ -> Optional.ofNullable(render.get()));
    }

    private static void requireNames(Template template, Map<String, ?> scope) {
        template.names().needed().forEach((name, line) -> {
            if (!scope.containsKey(name)) {
                throw failure(template.source(), line, unknown(name), null);
            }
        });
    }

    private <T extends @Nullable Object> T within(
            RoleText source, Map<String, ?> scope, Function<JinjavaInterpreter, T> work) {
        var interpreter = jinja.interpreter(scope);
        try (var _ = JinjavaInterpreter.closeablePushCurrent(interpreter).get()) {
            var result = work.apply(interpreter);
            if (!interpreter.getErrors().isEmpty()) {
                var error = interpreter.getErrors().getFirst();
                throw failure(source, error.getLineno(), error.getMessage(), null);
            }
            return result;
        } catch (UnknownTokenException e) {
            throw failure(source, e.getLineNumber(), unknown(e.getToken()), e);
        } catch (PlainOutput.NotText e) {
            throw failure(source, e.line(), String.valueOf(e.getMessage()), e);
        } catch (InterpretException e) {
            throw failure(source, e.getLineNumber(), String.valueOf(e.getMessage()), e);
        }
    }

    private static String unknown(String token) {
        return "Nothing is known for " + token + ": a name or an attribute in it does not exist.";
    }

    private static Failure failure(RoleText source, int line, String why, @Nullable Exception cause) {
        var sentence = why.isEmpty() ? why : why.substring(0, 1).toUpperCase(Locale.ROOT) + why.substring(1);
        return new Failure(
                Diagnostic.error(
                        Code.TEMPLATE_FAILED,
                        source.where(Math.max(1, line)),
                        sentence,
                        "The names are the role's variables (meta/argument_specs.yml), inventory_hostname, host and hosts."),
                cause);
    }
}
