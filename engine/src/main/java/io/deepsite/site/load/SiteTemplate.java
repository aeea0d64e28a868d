package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.site.Name;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The commented site.yaml that {@code deepsite init} writes. It loads without a fault. */
public final class SiteTemplate {
    /** The word for machines alone. */
    public static final String NO_CLUSTER = "none";

    private static final String USERS = """
            # users:
            #   alice:
            #     uid: 2001
            #     groups: [physics]
            #     keys: ["ssh-ed25519 AAAA… alice@laptop"]  # the one line of her .pub file
            # ssh: {certificates: {validity: 8h}}  # short-lived certificates beside keys, or in place of them: deepsite certificate alice
            """;

    private SiteTemplate() {}

    /**
     * @param kind of the one cluster; empty for machines alone
     * @param file how the comment calls it
     * @throws Failure for a kind or provider that this version does not know, or that do not go together
     */
    public static String text(SiteModel model, Optional<String> kind, String provider, Name site, String file) {
        var machines = model.provider(provider).orElseThrow(() -> unknown("--provider", provider, model.providers()));
        var text = new StringBuilder("""
                # deepsite plan %s shows what this would make; deepsite apply makes it, and proves it works.
                # deepsite explain KEY describes any key, such as machines.gpus.
                apiVersion: %s
                site: %s

                """.formatted(file, SiteModel.API_VERSION, site));
        text.append(machines.template()).append('\n');
        kind.ifPresent(name -> text.append(cluster(model, name)).append('\n'));
        var whole = text.append(USERS).toString();
        refuseFaults(model, whole, provider, kind);
        return whole;
    }

    private static String cluster(SiteModel model, String name) {
        return model.kind(name)
                .orElseThrow(() -> unknown(
                        "--kind",
                        name,
                        Stream.concat(model.kinds().stream(), Stream.of(NO_CLUSTER))
                                .toList()))
                .template();
    }

    private static void refuseFaults(SiteModel model, String text, String provider, Optional<String> kind) {
        new SiteLoader(model)
                .load("site.yaml", text, Map.of()).diagnostics().stream()
                        .filter(Diagnostic::isError)
                        .findFirst()
                        .ifPresent(fault -> {
                            throw new Failure(Diagnostic.error(
                                    fault.code(),
                                    Where.file("--kind " + kind.orElse(NO_CLUSTER) + " --provider " + provider),
                                    fault.why(),
                                    fault.fix()));
                        });
    }

    /** The file {@code <name>.yaml} beside a class. */
    static String resource(Class<?> beside, String name) {
        try (var in = beside.getResourceAsStream(name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException(beside + " has no " + name + ".yaml beside it");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Failure unknown(String option, String written, List<String> known) {
        return new Failure(Diagnostic.error(
                Code.UNKNOWN_KIND,
                Where.file(option + " " + Wording.safe(written)),
                Wording.quoted(written) + " is not known to this version: " + Wording.anyOf(known) + ".",
                Wording.didYouMean(written, known, "")));
    }
}
