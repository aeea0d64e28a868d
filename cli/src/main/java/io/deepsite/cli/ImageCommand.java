package io.deepsite.cli;

import io.deepsite.apply.Event;
import io.deepsite.cli.view.ImagesView;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.Provider;
import io.deepsite.site.ImageName;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code deepsite image}: guest images of a back-end. */
@Command(
        name = "image",
        description = "Build, bake, fetch, list and delete the guest images of a back-end.",
        footer = {"  deepsite image build debian/12", "  deepsite image bake lab/site.yaml", "  deepsite image list"})
final class ImageCommand extends CommandGroup {
    private ImageCommand() {}

    static CommandLine line(CommandContext at) {
        return new CommandLine(new ImageCommand(), Words.factory(at.kinds()))
                .addSubcommand("build", new Build(at))
                .addSubcommand("bake", new BakeCommand(at))
                .addSubcommand("pull", new Pull(at))
                .addSubcommand("list", new ListAll(at))
                .addSubcommand("delete", new Delete(at));
    }

    private static ImageStore store(Provider provider) {
        return provider.images()
                .orElseThrow(() -> new Failure(
                        Diagnostic.error(Code.COMMAND_LINE, "deepsite cannot manage images on this back-end.", "")));
    }

    private static ImageName name(String typed) {
        try {
            return ImageName.parse(typed);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.NOT_IMAGE,
                            "\"" + typed + "\" is not the name of an image: " + e.getMessage() + ".",
                            ""),
                    e);
        }
    }

    /** A command about one image. */
    abstract static class OfOne extends OfBackEnd {
        @Parameters(index = "0", paramLabel = "IMAGE", description = "An image, such as debian/12.")
        private String image = "";

        OfOne(CommandContext at) {
            super(at);
        }

        @Override
        final int work(Provider provider) {
            work(store(provider), name(image));
            return ExitCode.DONE.number();
        }

        /** Runs work that takes minutes, and shows its progress. */
        void watched(ImageName image, String verb, Consumer<Call> work) {
            var subject = image.toString();
            try (var progress = new ProgressDisplay(at, this, Map.of(subject, 1))) {
                var begun = at.clock().instant();
                progress.events().accept(new Event.Phase("Image", 1));
                progress.events().accept(new Event.Started("image", subject, verb));
                work.accept(progress.call("image", subject));
                progress.events()
                        .accept(new Event.Ended(
                                "image",
                                subject,
                                Event.StepOutcome.DONE,
                                "",
                                Duration.between(begun, at.clock().instant())));
            }
            tell(image, "stored");
        }

        abstract void work(ImageStore store, ImageName image);

        /** With --json the last event already reports it. */
        void tell(ImageName image, String what) {
            if (!json) {
                print("The image " + image + " is " + what + ".\n");
            }
        }
    }

    @Command(
            name = "build",
            description = {
                "Build an image from the distribution's own packages, and store it under its name.",
                "Takes minutes; needs mmdebstrap. Existing sites keep the image they were made from."
            },
            footer = {"  deepsite image build debian/12"})
    static final class Build extends OfOne {
        Build(CommandContext at) {
            super(at);
        }

        @Override
        void work(ImageStore store, ImageName image) {
            watched(image, "build", call -> store.build(image, call));
        }
    }

    @Command(
            name = "pull",
            description = {
                "Fetch an image from the server that site.yaml names for it, and store it under its name.",
                "LXD itself fetches it. Existing sites keep the image they were made from."
            },
            footer = {"  deepsite image pull debian/12 --site lab/site.yaml"})
    static final class Pull extends OfOne {
        Pull(CommandContext at) {
            super(at);
        }

        @Override
        void work(ImageStore store, ImageName image) {
            watched(image, "pull", call -> store.pull(image, call));
        }
    }

    @Command(
            name = "list",
            description = "List the stored images.",
            footer = {"  deepsite image list", "  deepsite image list --json"})
    static final class ListAll extends OfBackEnd {
        ListAll(CommandContext at) {
            super(at);
        }

        @Override
        int work(Provider provider) {
            var images = store(provider).images();
            if (json) {
                printJson(ImagesView.json(images));
            } else {
                print(ImagesView.text(images, at.clock().instant()));
            }
            return ExitCode.DONE.number();
        }
    }

    @Command(
            name = "delete",
            description = "Delete an image. Machines made from it stay.",
            footer = {"  deepsite image delete debian/12"})
    static final class Delete extends OfOne {
        Delete(CommandContext at) {
            super(at);
        }

        @Override
        void work(ImageStore store, ImageName image) {
            try (var progress = new ProgressDisplay(at, this, Map.of())) {
                store.delete(image, progress.call("image", image.toString()));
            }
            tell(image, "deleted");
        }
    }
}
