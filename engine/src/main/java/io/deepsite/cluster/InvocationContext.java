package io.deepsite.cluster;

import io.deepsite.site.Name;
import java.util.function.ToIntFunction;

/** What a command of a kind gets from the command line that runs it: the site, and the way to the user. */
public interface InvocationContext {
    /**
     * Opens the site that the user named, for the length of the work.
     *
     * @return what the work answers
     */
    int withSite(ToIntFunction<SiteAccess> work);

    /**
     * A name that the user typed.
     *
     * @throws io.deepsite.diag.Failure COMMAND_LINE
     */
    Name name(String typed);

    /** Whether the user wants the result as JSON. */
    boolean json();

    /** Prints the result to standard output. */
    void print(String text);

    void printJson(Object value);

    /** Prints to standard error what another program printed there. */
    void printError(String text);

    /** Prints a remark to standard error, unless the user wants results alone. */
    void say(String text);

    /** The text in bold, where the terminal can show it. */
    String bold(String text);
}
