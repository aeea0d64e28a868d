package io.deepsite.opennebula;

import io.deepsite.provider.ObservedResource.Condition;
import java.util.Map;
import java.util.Set;

/**
 * The life cycle state of a virtual machine: two numbers. Numbers of later releases are no error: such a machine counts as
 * changing state. Source: OpenNebula, "Virtual Machine States Reference".
 *
 * @param state STATE of the machine
 * @param lcm LCM_STATE, the detail while STATE is ACTIVE
 */
record Life(int state, int lcm) {
    static final int PENDING = 1;
    static final int HOLD = 2;
    static final int ACTIVE = 3;
    static final int POWEROFF = 8;
    static final int RUNNING = 3;
    static final int BOOT_FAILURE = 36;

    private static final Map<Integer, String> STATES = Map.ofEntries(
            Map.entry(0, "INIT"),
            Map.entry(PENDING, "PENDING"),
            Map.entry(HOLD, "HOLD"),
            Map.entry(ACTIVE, "ACTIVE"),
            Map.entry(4, "STOPPED"),
            Map.entry(5, "SUSPENDED"),
            Map.entry(6, "DONE"),
            Map.entry(POWEROFF, "POWEROFF"),
            Map.entry(9, "UNDEPLOYED"),
            Map.entry(10, "CLONING"),
            Map.entry(11, "CLONING_FAILURE"));

    private static final Map<Integer, String> LCM = Map.ofEntries(
            Map.entry(0, "LCM_INIT"),
            Map.entry(1, "PROLOG"),
            Map.entry(2, "BOOT"),
            Map.entry(RUNNING, "RUNNING"),
            Map.entry(11, "EPILOG"),
            Map.entry(12, "SHUTDOWN"),
            Map.entry(16, "UNKNOWN"),
            Map.entry(18, "SHUTDOWN_POWEROFF"),
            Map.entry(20, "BOOT_POWEROFF"),
            Map.entry(23, "CLEANUP_DELETE"),
            Map.entry(25, "HOTPLUG_NIC"),
            Map.entry(17, "HOTPLUG"),
            Map.entry(BOOT_FAILURE, "BOOT_FAILURE"),
            Map.entry(37, "BOOT_MIGRATE_FAILURE"),
            Map.entry(38, "PROLOG_MIGRATE_FAILURE"),
            Map.entry(39, "PROLOG_FAILURE"),
            Map.entry(40, "EPILOG_FAILURE"),
            Map.entry(41, "EPILOG_STOP_FAILURE"),
            Map.entry(42, "EPILOG_UNDEPLOY_FAILURE"),
            Map.entry(44, "PROLOG_MIGRATE_POWEROFF_FAILURE"),
            Map.entry(46, "PROLOG_MIGRATE_SUSPEND_FAILURE"),
            Map.entry(47, "BOOT_UNDEPLOY_FAILURE"),
            Map.entry(48, "BOOT_STOPPED_FAILURE"),
            Map.entry(49, "PROLOG_RESUME_FAILURE"),
            Map.entry(50, "PROLOG_UNDEPLOY_FAILURE"),
            Map.entry(61, "PROLOG_MIGRATE_UNKNOWN_FAILURE"),
            Map.entry(69, "BACKUP"),
            Map.entry(70, "BACKUP_POWEROFF"));

    /** A start failed, and OpenNebula does nothing more. */
    private static final Set<Integer> FAILED = Set.of(36, 37, 38, 39, 40, 41, 42, 44, 46, 47, 48, 49, 50, 61);

    /** Its host no longer reports its state. */
    private static final int LOST = 16;

    /** Before the first boot. */
    private static final Set<Integer> STARTING = Set.of(0, 1, 2, 36, 39);

    /** The guest keeps running: during a backup, while a disk is attached. */
    private static final Set<Integer> BESIDE = Set.of(RUNNING, 17, 24, 25, 26, 27, 28, 66, 69);

    boolean isPending() {
        return state == PENDING || state == HOLD;
    }

    /** Waits, or failed, before its first boot: nothing is lost with it. */
    boolean neverRan() {
        return isPending() || (hasFailed() && condition() == Condition.HALF_MADE);
    }

    boolean isRunning() {
        return state == ACTIVE && lcm == RUNNING;
    }

    boolean hasFailed() {
        return state == 11 || (state == ACTIVE && FAILED.contains(lcm));
    }

    /** Stopped; runs again when it is resumed. */
    boolean rests() {
        return Set.of(4, 5, POWEROFF, 9).contains(state) || (state == ACTIVE && lcm == LOST);
    }

    /** Whether this version of deepsite knows the state. */
    boolean isKnown() {
        return STATES.containsKey(state) && (state != ACTIVE || LCM.containsKey(lcm) || BESIDE.contains(lcm));
    }

    Condition condition() {
        if (rests()) {
            return Condition.STOPPED;
        }
        if (state == ACTIVE) {
            return STARTING.contains(lcm) ? Condition.HALF_MADE : hasFailed() ? Condition.STOPPED : Condition.READY;
        }
        return Condition.HALF_MADE;
    }

    /** {@code RUNNING}, {@code PENDING}, or {@code LCM_STATE 99} for one that this version does not know. */
    String words() {
        return state == ACTIVE
                ? LCM.getOrDefault(lcm, "LCM_STATE " + lcm)
                : STATES.getOrDefault(state, "STATE " + state);
    }
}
