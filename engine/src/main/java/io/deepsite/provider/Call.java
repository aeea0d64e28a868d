package io.deepsite.provider;

/** Reports the progress of a call to its caller, and asks whether to continue. */
public interface Call {
    /** Human words of what goes on now, such as {@code rootfs: 42 %}. May be called from any thread. */
    void progress(String what);

    /** True once the user wants to stop: a call that can be cancelled cancels, and ends with a Failure. */
    boolean cancelled();

    Call QUIET = new Call() {
        @Override
        public void progress(String what) {}

        @Override
        public boolean cancelled() {
            return false;
        }
    };
}
