package io.deepsite.site.load;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.NoKey;
import io.deepsite.site.OneOf;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shape of site.yaml, read from the records of the model and their {@link Key}s, with the kinds of clusters and the
 * providers that there are. To be made once, and read when first asked for, a kind or provider only when a site.yaml
 * names it: reflection on all records takes longer than reading a site.yaml.
 */
public final class SiteModel {
    public static final String API_VERSION = "deepsite/v1";

    private static final Set<Class<?>> CONFINED =
            Set.of(int.class, Integer.class, boolean.class, Boolean.class, Name.class);

    private final Map<String, ClusterModel<?>> kinds = new LinkedHashMap<>();
    private final Map<String, ProviderModel<?>> providers = new LinkedHashMap<>();
    private Shape.@Nullable Struct site;

    /** Both in the order in which texts name them. */
    public SiteModel(List<? extends ClusterModel<?>> kinds, List<? extends ProviderModel<?>> providers) {
        for (var kind : kinds) {
            requirePublicRecord(kind.model(), "the model of the kind " + kind.name());
            this.kinds.put(kind.name(), kind);
        }
        for (var provider : providers) {
            requirePublicRecord(provider.settings(), "the settings of the provider " + provider.name());
            this.providers.put(provider.name(), provider);
        }
    }

    private static void requirePublicRecord(Class<?> type, String what) {
        if (!type.isRecord() || !Modifier.isPublic(type.getModifiers())) {
            throw new IllegalArgumentException(what + " must be a public record");
        }
    }

    /** The names of the kinds, in the order in which texts name them. */
    public List<String> kinds() {
        return List.copyOf(kinds.keySet());
    }

    public Optional<ClusterModel<?>> kind(String name) {
        return Optional.ofNullable(kinds.get(name));
    }

    /** The names of the providers, in the order in which texts name them. */
    public List<String> providers() {
        return List.copyOf(providers.keySet());
    }

    public Optional<ProviderModel<?>> provider(String name) {
        return Optional.ofNullable(providers.get(name));
    }

    synchronized Shape.Struct site() {
        if (site == null) {
            site = readSite();
        }
        return site;
    }

    void check(CheckContext context, Name name, Cluster cluster) {
        var kind = kinds.get(cluster.kind());
        if (kind == null) {
            throw new IllegalStateException(
                    "a cluster of the kind " + cluster.kind() + ", which was not read by this model");
        }
        check(kind, context, name, cluster);
    }

    private static <C extends Cluster> void check(
            ClusterModel<C> kind, CheckContext context, Name name, Cluster cluster) {
        kind.check(context, name, kind.model().cast(cluster));
    }

    void check(CheckContext context, ProviderSettings settings) {
        var provider = providers.get(settings.provider());
        if (provider == null) {
            throw new IllegalStateException(
                    "settings of the provider " + settings.provider() + ", which were not read by this model");
        }
        check(provider, context, settings);
    }

    private static <S extends ProviderSettings> void check(
            ProviderModel<S> provider, CheckContext context, ProviderSettings settings) {
        provider.check(context, provider.settings().cast(settings));
    }

    private Shape.Struct readSite() {
        var site = struct(Site.class);
        var fields = new ArrayList<Field>();
        fields.add(Field.header(
                "apiVersion",
                "The version of the file's format; this deepsite reads one.",
                API_VERSION,
                ChangeImpact.NOTHING,
                List.of(API_VERSION)));
        fields.addAll(site.fields());
        return new Shape.Struct(Site.class, List.copyOf(fields), site.rules());
    }

    /** The shape of a file of its own that holds one record. */
    static Shape.Struct document(Class<? extends Record> model) {
        return new SiteModel(List.of(), List.of()).struct(model);
    }

    private Shape.Struct struct(Class<?> type) {
        var fields = new ArrayList<Field>();
        var rules = new ArrayList<KeyRule>();
        for (var component : type.getRecordComponents()) {
            if (component.isAnnotationPresent(NoKey.class)) {
                continue;
            }
            var field = field(component);
            fields.add(field);
            KeyRule.of(field.key(), key(component)).forEach(rules::add);
        }
        Stream.ofNullable(type.getAnnotation(OneOf.class)).flatMap(KeyRule::of).forEach(rules::add);
        var struct = new Shape.Struct(type, List.copyOf(fields), List.copyOf(rules));
        for (var rule : rules) {
            rule.conditions()
                    .filter(condition -> struct.field(condition.path()) == null)
                    .findFirst()
                    .ifPresent(condition -> {
                        throw new IllegalStateException(
                                "a rule of " + type + " names " + condition.name() + ", which is no key");
                    });
        }
        return struct;
    }

    private static Key key(RecordComponent component) {
        var key = component.getAnnotation(Key.class);
        if (key == null) {
            throw new IllegalStateException(
                    component.getDeclaringRecord() + "." + component.getName() + " has no @Key");
        }
        return key;
    }

    private Field field(RecordComponent component) {
        var key = key(component);
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
                key.impact(),
                needed,
                optional,
                key.required(),
                key.notYet(),
                key.min(),
                key.max(),
                List.of(key.choices()),
                key.pattern(),
                key.distinct(),
                !key.beyond() && (key.confined() || key.choices().length > 0 || reachesNothing(shape)));
    }

    /** Whatever is written there. The keys below others speak for themselves; what makes the machines is no user's. */
    private static boolean reachesNothing(Shape shape) {
        return switch (shape) {
            case Shape.Scalar scalar -> CONFINED.contains(scalar.type());
            case Shape.Listing list -> reachesNothing(list.element());
            case Shape.Mapping map -> reachesNothing(map.key()) && reachesNothing(map.value());
            case Shape.Struct _ -> true;
            case Shape.Choice choice -> choice.byKind();
        };
    }

    private Shape shape(Type type) {
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
        if (plain == Cluster.class) {
            return clusterChoice();
        }
        if (plain == ProviderSettings.class) {
            return providerChoice();
        }
        return isStruct(plain) ? struct(plain) : new Shape.Scalar(plain);
    }

    /** A record of keys; a record without any is a value. */
    private static boolean isStruct(Class<?> type) {
        return type.isRecord()
                && Arrays.stream(type.getRecordComponents()).anyMatch(c -> c.isAnnotationPresent(Key.class));
    }

    /** The key {@code kind} chooses. */
    private Shape.Choice clusterChoice() {
        return new Shape.Choice(Cluster.class, true, new Shape.Cases(kinds.keySet(), this::clusterCase));
    }

    private Shape.Struct clusterCase(String name) {
        var fields = new ArrayList<Field>();
        fields.add(Field.header("kind", "What it is.", name, ChangeImpact.REPLACE, List.copyOf(kinds.keySet())));
        var struct = struct(known(kinds, name).model());
        fields.addAll(struct.fields());
        return new Shape.Struct(struct.type(), List.copyOf(fields), struct.rules());
    }

    /** The one key chooses. */
    private Shape.Choice providerChoice() {
        return new Shape.Choice(
                ProviderSettings.class,
                false,
                new Shape.Cases(
                        providers.keySet(),
                        name -> struct(known(providers, name).settings())));
    }

    private static <T> T known(Map<String, T> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
