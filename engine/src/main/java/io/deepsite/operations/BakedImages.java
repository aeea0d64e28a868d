package io.deepsite.operations;

import io.deepsite.contract.Digests;
import io.deepsite.plan.Desired;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Survey;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which baked images fit which machines. Their names say it: they are digests of what the images hold. */
final class BakedImages {
    private static final String PREFIX = "deepsite-";
    /** Half of a SHA-256's half: enough that no two images of a back-end share a name. */
    private static final int DIGITS = 16;

    private BakedImages() {}

    /** @param image as {@link Survey#imageOf} tells it */
    static String name(String image, ImageContents contents, DeepsiteHome home) {
        return PREFIX + Digests.sha256(image + "\n" + contents.digest(home)).substring(0, DIGITS);
    }

    /** The same, where machines that are made start from the baked images that are there and fit. */
    static Desired used(Desired desired, Survey survey, DeepsiteHome home) {
        var there = survey.bakedImages();
        if (there.isEmpty()) {
            return desired;
        }
        var groups = desired.design().machines().stream().collect(Collectors.toMap(Machine::name, Machine::group));
        var contents = new HashMap<Name, ImageContents>();
        Function<Resource, Resource> baked =
                resource -> Optional.ofNullable(groups.get(resource.id().key()))
                        .filter(_ -> resource.isMachine())
                        .map(group -> contents.computeIfAbsent(group, name -> ImageContents.of(desired, name)))
                        .flatMap(held -> fitting(resource, held, survey, there, home))
                        .map(resource::fromBaked)
                        .orElse(resource);
        return desired.on(desired.design()
                .withResources(desired.design().resources().stream().map(baked).toList()));
    }

    private static Optional<String> fitting(
            Resource machine, ImageContents contents, Survey survey, Set<String> there, DeepsiteHome home) {
        return survey.imageOf(machine).map(image -> name(image, contents, home)).filter(there::contains);
    }

    /** By group, of machines that a survey has compiled. */
    static Map<Name, String> names(Design design, Map<Name, ImageContents> contents, Survey survey, DeepsiteHome home) {
        var names = new HashMap<Name, String>();
        var groups = design.byName();
        design.resources().stream().filter(Resource::isMachine).forEach(resource -> {
            var group = Objects.requireNonNull(groups.get(resource.id().key())).group();
            var held = contents.get(group);
            if (held != null) {
                survey.imageOf(resource).ifPresent(image -> names.put(group, name(image, held, home)));
            }
        });
        return names;
    }
}
