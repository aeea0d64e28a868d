package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.operations.RenderOperation;
import io.deepsite.operations.SiteContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite bundle}: packs the Ansible bundle into one file for another machine. */
@Command(
        name = "bundle",
        description = {
            "Pack the Ansible bundle of the site into one archive.",
            "Changes no host. Like render, for a machine that reaches the hosts and has Ansible but no deepsite. The archive does not hold the vault key."
        },
        footer = {"  deepsite bundle", "  deepsite bundle lab/site.yaml -o /media/stick/lab.tar.gz"})
final class BundleCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The archive (default: <site>-bundle.tar.gz).")
    private @Nullable Path output;

    @Mixin
    private AssumeFacts assume = new AssumeFacts();

    BundleCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, this::bundle);
    }

    private int bundle(SiteContext context) {
        var name = context.site().name() + "-bundle";
        var archive = output == null ? Path.of(name + ".tar.gz") : output;
        try {
            var work = Files.createTempDirectory("deepsite-bundle-");
            try {
                var made = assume.render(context, work.resolve(name));
                pack(work, name, archive);
                tell(archive, name, made);
            } finally {
                delete(work);
            }
        } catch (IOException e) {
            throw FileFault.notWritten(archive, e);
        }
        return ExitCode.DONE.number();
    }

    private void tell(Path archive, String name, RenderOperation.Rendered made) {
        if (json) {
            printJson(AssumeFacts.result("archive", archive, made));
        } else {
            print("Wrote " + archive + ". " + made.words() + " To run it on that machine:\n\n      tar xzf "
                    + archive.getFileName() + " && cd " + name + " && ansible-playbook site.yml\n");
        }
    }

    private static void pack(Path folder, String name, Path archive) throws IOException {
        try {
            var tar = new ProcessBuilder(
                            "tar",
                            "--create",
                            "--gzip",
                            "--file=" + archive.toAbsolutePath(),
                            "--directory=" + folder,
                            name)
                    .redirectErrorStream(true)
                    .start();
            tar.getOutputStream().close();
            var said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (tar.waitFor() != 0) {
                throw new Failure(Diagnostic.error(
                        Code.FILE_NOT_WRITTEN,
                        "tar could not write " + archive + ": " + said,
                        "Fix what tar names, then run the same command again."));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
