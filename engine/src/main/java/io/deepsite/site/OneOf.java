package io.deepsite.site;

import io.deepsite.diag.Code;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Of these keys of a record the file must set one, and only one unless {@link #several()}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OneOf {
    String[] value();

    /** More than one of them may be set. */
    boolean several() default false;

    /** The reason, in a sentence. */
    String why();

    /** What to do where none is set, if it is more than to add one of them. */
    String fix() default "";

    /** Where none is set. */
    Code none() default Code.MISSING_KEY;

    /** Where two are set. */
    Code both() default Code.NOT_TOGETHER;
}
