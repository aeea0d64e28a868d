package io.deepsite.service.catalogue;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Name;
import io.deepsite.site.load.DocumentLoader;
import io.deepsite.site.load.SiteLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A folder with a folder for each template, which holds {@code site.yaml} and {@code template.yaml}. Read anew by each call. */
public final class Catalogue {
    /** Of a person who asks what a site would take. */
    public static final String SAMPLE_ACCOUNT = "u-you";

    private static final DocumentLoader<TemplateText> TEXTS = new DocumentLoader<>(
            TemplateText.class, "template", "title: Slurm cluster", "docs/guides/service.md has an example.");

    private final Path folder;
    private final SiteLoader loader;

    public Catalogue(Path folder, SiteLoader loader) {
        this.folder = folder;
        this.loader = loader;
    }

    /**
     * By their ids.
     *
     * @throws Failure with the faults of the first template that has some
     */
    public List<Template> templates() {
        try (var folders = Files.list(folder)) {
            return folders.filter(Files::isDirectory).sorted().map(this::read).toList();
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.NOT_SERVED,
                            "The catalogue " + folder + " cannot be read: " + FileFault.words(e) + ".",
                            "Name its folder with --catalogue; docs/guides/service.md has an example."),
                    e);
        }
    }

    /** @throws Failure NOT_FOUND */
    public Template template(String id) {
        return find(id).orElseThrow(() -> new Failure(Diagnostic.error(
                Code.NOT_FOUND, "The catalogue has no template of this name.", "GET /v1/catalogue lists them.")));
    }

    /** None if it was removed since. */
    public Optional<Template> find(String id) {
        return id.matches(Name.PATTERN) && Files.isDirectory(folder.resolve(id))
                ? Optional.of(read(folder.resolve(id)))
                : Optional.empty();
    }

    private Template read(Path of) {
        var text = TEXTS.load(of.resolve("template.yaml"), (_, _, _) -> {});
        var file = of.resolve("site.yaml");
        try {
            var yaml = Files.readString(file);
            var complete = text.account() ? OrderedYaml.withUser(yaml, SAMPLE_ACCOUNT) : yaml;
            // Every parameter has a default, which the form shows: else this fails.
            var site = loader.load(file.toString(), complete, Map.of()).orFail();
            return new Template(
                    Name.parse(of.getFileName().toString()),
                    text,
                    yaml,
                    site.parameters(),
                    Amounts.of(site),
                    site.lease().map(LeaseTerms::duration),
                    text.picture().map(of::resolve));
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE, file + " cannot be read: " + FileFault.words(e) + ".", "Correct it."),
                    e);
        }
    }
}
