package io.deepsite.site;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one key of site.yaml on the record component that holds it. The reader, the JSON Schema, {@code explain} and
 * the reference page all work from this one description.
 *
 * <p>A component of type {@code Optional}, or with a {@link #defaultValue()}, may be left out; a {@code List} or
 * {@code Map} that is left out is empty unless {@link #required()}; every other component is required.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
    /** One or two sentences for a site admin. */
    String value();

    /** The key in YAML, where it differs from the component's name. */
    String name() default "";

    /** The default as it would be written in YAML; empty for none. */
    String defaultValue() default "";

    String example() default "";

    /** What a change of this key costs on an existing site. */
    ChangeImpact impact() default ChangeImpact.NOTHING;

    /** For lists and maps: at least one entry is needed. */
    boolean required() default false;

    /** Known, but not enforced by this version: using it is an error that says so. */
    boolean notYet() default false;

    /** The accepted values of a text; empty for any. */
    String[] choices() default {};

    /** A regular expression for the whole of a text; {@link #value()} says in words what it asks. Empty for any text. */
    String pattern() default "";

    /** Smallest and largest value of a number. */
    long min() default Long.MIN_VALUE;

    long max() default Long.MAX_VALUE;

    /**
     * Whether a value of this key reaches nothing but the site's own machines, whoever writes it: no file, command,
     * account or address of where deepsite runs, nothing of the back-end, no wait without end. Those whom the
     * administrator does not trust with that may set such keys only. Numbers, names and {@link #choices()} reach
     * nothing; of every other type it has to be said.
     */
    boolean confined() default false;

    /** Whether one of the {@link #choices()} is not {@link #confined()}. */
    boolean beyond() default false;

    /** No two entries of a map have the same number here; one that is missing is proposed with a free number. */
    boolean distinct() default false;

    /** Keys that must not be set beside this one. Say it on one of the two; the other one's description shows it, too. */
    OtherKeys[] excludes() default {};

    /** Keys without which this one is a fault. */
    OtherKeys[] requires() default {};
}
