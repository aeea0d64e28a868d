package io.deepsite.provider;

import io.deepsite.diag.Diagnostic;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;

/**
 * One back-end. Every remote change is one of create, update, delete, retag, and each is one step of a plan; nothing else
 * changes anything. Calls are thread-safe and may run side by side. Faults end with {@code diag.Failure}, whose text says
 * who answered what, and whether anything was changed.
 */
public interface Provider extends AutoCloseable {
    Capabilities capabilities();

    /** What its user should know before anything is sent to the back-end; told once, never an error. */
    default List<Diagnostic> warnings() {
        return List.of();
    }

    /** Looks at the back-end once; changes nothing. */
    Survey survey(Tags.Scope scope);

    /**
     * Makes a resource with its tags in the same call, or before anything of it can be used. A machine ends up started,
     * with the boot files in place before its first start. Called again after a crash it finds what it half made (by its
     * tags) and finishes it.
     *
     * @throws io.deepsite.diag.Failure NAME_TAKEN when the name exists and is not ours
     */
    void create(Resource desired, Tags tags, Boot boot, Call call);

    /** Brings a resource from what was seen to what is desired, in place; restarts a machine where an attribute asks. */
    void update(ObservedResource seen, Resource desired, Call call);

    /** Gone already is success. Refuses what does not carry our tags. */
    void delete(ObservedResource seen, Call call);

    /**
     * Takes our tags off a resource, which stays for those who use it. Gone already is success. Refuses what does not carry
     * our tags. Asked only for what {@link ObservedResource#usedBy} names users of.
     */
    default void release(ObservedResource seen, Call call) {
        throw new UnsupportedOperationException(
                seen.id() + " is reported as used by others; this provider does not list users");
    }

    /** Writes another lease (empty: none) to one resource. */
    void retag(ObservedResource seen, Optional<Tags.Lease> lease, Call call);

    /** Writes boot files to a machine that exists, over those that are there: its keys were lost with the state. */
    void place(ObservedResource machine, Boot boot, Call call);

    /**
     * Where SSH reaches a machine that was made, when that is another address than the one in the design and was not known
     * then: one that the back-end chose. Asked after its create.
     */
    default Optional<String> outside(String machine, Name site) {
        return Optional.empty();
    }

    /** The last lines of a machine's console, for a machine that does not answer SSH; empty where there is none. */
    String consoleLog(String machine, Name site);

    /**
     * Why a machine can never answer SSH as it is, in the back-end's words: it is stopped, failed, or gone. Empty while it
     * runs or is on its way there, and where the back-end cannot tell.
     */
    default Optional<String> down(String machine, Name site) {
        return Optional.empty();
    }

    /** Empty where deepsite does not keep images: there are none, or others provide them. */
    default Optional<ImageStore> images() {
        return Optional.empty();
    }

    @Override
    void close();
}
