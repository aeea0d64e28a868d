package io.deepsite.ansible;

import java.util.function.Consumer;

/** Where the processes of Ansible of a run work: on this machine, or also on others that share the records of the site. Any thread may call. */
public interface ControlNodes {
    ControlNodes THIS = new ControlNodes() {
        @Override
        public int processes() {
            // 60 MB each: a slow group of hosts holds up no other.
            return 4;
        }

        @Override
        public int hosts() {
            return Integer.MAX_VALUE;
        }

        @Override
        public int run(Playbook playbook, Consumer<String> lines, Stop stop) {
            return playbook.run(lines, stop);
        }
    };

    /** Stops running plays early. */
    interface Stop {
        /** @param stop ends the plays with all their processes */
        void onAsked(Runnable stop);
    }

    /** Processes of one run that work at once. */
    int processes();

    /** Hosts that one process configures at most, unless their stage rolls over them. */
    int hosts();

    /**
     * Runs a playbook to its end; then its log is in the folder of the run.
     *
     * @param lines gets what {@code deepsite_events} writes, in order, in one thread
     * @return Ansible's exit code
     * @throws io.deepsite.diag.Failure ANSIBLE_MISSING, STATE_NOT_WRITTEN, CANCELLED, LOCK_LOST
     */
    int run(Playbook playbook, Consumer<String> lines, Stop stop);
}
