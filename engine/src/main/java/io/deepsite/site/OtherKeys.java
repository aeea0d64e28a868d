package io.deepsite.site;

import io.deepsite.diag.Code;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a key asks of other keys of the same record, in {@link Key#excludes()} and {@link Key#requires()}.
 *
 * <p>A condition is {@code key} (the file sets it, and to neither {@code false} nor an empty list or map), {@code key=value}
 * (it has this value, by default too; a list holds it), or either of them for a key further down: {@code install.packages}.
 * Conditions on keys of a record that the file leaves out are not met.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface OtherKeys {
    /** Conditions on other keys: none may be met beside an excluding key; one must be met beside a requiring one. */
    String[] value();

    /**
     * The rule holds only while all these conditions are met. One on the key itself ({@code plugin=calico}), or on a key below
     * it, is the subject of the message.
     */
    String[] when() default {};

    /** The reason, in a sentence; empty where the rule explains itself. */
    String why() default "";

    /** What to do, where the message's own proposal ("Add …, or remove …") is not enough. */
    String fix() default "";

    /** Commands that help with {@link #fix()}, each shown on a line of its own below it. */
    String[] commands() default {};

    /** At most one; by default {@code NOT_TOGETHER} of what excludes, {@code MISSING_KEY} of what requires. */
    Code[] code() default {};
}
