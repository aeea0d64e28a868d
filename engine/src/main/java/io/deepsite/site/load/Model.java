package io.deepsite.site.load;

import io.deepsite.site.Blast;
import io.deepsite.site.Key;
import io.deepsite.site.Kind;
import io.deepsite.site.Site;
import io.deepsite.site.Work;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The shape of site.yaml, read from the records of the model and their {@link Key}s. */
final class Model {
    static final String API_VERSION = "deepsite/v1";

    /** Read once: the records do not change, and reflection on all of them takes longer than reading a site.yaml. */
    private static final Shape.Struct SITE = readSite();

    private Model() {}

    static Shape.Struct site() {
        return SITE;
    }

    private static Shape.Struct readSite() {
        var site = struct(Site.class);
        var fields = new ArrayList<Field>();
        fields.add(Field.header(
                "apiVersion",
                "The version of the file's format; this deepsite reads one.",
                API_VERSION,
                Blast.NOTHING,
                List.of(API_VERSION)));
        fields.addAll(site.fields());
        return new Shape.Struct(Site.class, List.copyOf(fields));
    }

    /** A description of work for a Mesos cluster, in a file of its own. */
    static Shape.Struct work() {
        return struct(Work.class);
    }

    private static Shape.Struct struct(Class<?> type) {
        return new Shape.Struct(
                type,
                Arrays.stream(type.getRecordComponents()).map(Model::field).toList());
    }

    private static Field field(RecordComponent component) {
        var key = component.getAnnotation(Key.class);
        if (key == null) {
            throw new IllegalStateException(
                    component.getDeclaringRecord() + "." + component.getName() + " has no @Key");
        }
        boolean optional = component.getType() == Optional.class;
        var shape = shape(optional ? argument(component.getGenericType(), 0) : component.getGenericType());
        boolean hasDefault = optional || !key.defaultValue().isEmpty();
        boolean needed = switch (shape) {
            case Shape.Scalar _, Shape.Choice _ -> !hasDefault;
            case Shape.Listing _, Shape.Mapping _ -> key.required();
            case Shape.Struct struct -> !hasDefault && !struct.mayBeLeftOut();
        };
        return new Field(
                key.name().isEmpty() ? component.getName() : key.name(),
                false,
                shape,
                key.value(),
                key.defaultValue(),
                key.example(),
                key.blast(),
                needed,
                optional,
                key.required(),
                key.notYet(),
                key.min(),
                key.max(),
                List.of(key.choices()),
                key.pattern());
    }

    private static Shape shape(Type type) {
        if (type instanceof ParameterizedType generic) {
            if (generic.getRawType() == List.class) {
                return new Shape.Listing(shape(argument(type, 0)));
            }
            if (generic.getRawType() == Map.class) {
                return new Shape.Mapping(new Shape.Scalar((Class<?>) argument(type, 0)), shape(argument(type, 1)));
            }
            throw new IllegalStateException("no shape for " + type);
        }
        var plain = (Class<?>) type;
        if (plain.isSealed()) {
            return choice(plain);
        }
        return isStruct(plain) ? struct(plain) : new Shape.Scalar(plain);
    }

    /** A record of keys; a record without any is a value. */
    private static boolean isStruct(Class<?> type) {
        return type.isRecord()
                && Arrays.stream(type.getRecordComponents()).anyMatch(c -> c.isAnnotationPresent(Key.class));
    }

    private static Shape.Choice choice(Class<?> type) {
        var types = new LinkedHashMap<String, Class<?>>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            types.put(word(permitted), permitted);
        }
        boolean byKind =
                Arrays.stream(type.getMethods()).anyMatch(m -> m.getName().equals("kind"));
        var cases = new LinkedHashMap<String, Shape.Struct>();
        types.forEach((name, permitted) -> {
            var fields = new ArrayList<Field>();
            if (byKind) {
                fields.add(Field.header("kind", "What it is.", name, Blast.REPLACE, List.copyOf(types.keySet())));
            }
            fields.addAll(struct(permitted).fields());
            cases.put(name, new Shape.Struct(permitted, List.copyOf(fields)));
        });
        return new Shape.Choice(type, byKind, cases);
    }

    private static String word(Class<?> type) {
        var kind = type.getAnnotation(Kind.class);
        return kind == null ? type.getSimpleName().toLowerCase(Locale.ROOT) : kind.value();
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
