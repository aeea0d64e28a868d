package io.deepsite.cluster.mesos;

import io.deepsite.diag.Failure;
import java.util.Optional;

/** The HTTP of a Mesos cluster, wherever it is asked from. */
interface MesosApi {

    /** Whom a request is for: the leading one of each, or the agent of a host. */
    sealed interface Part {
        enum Service implements Part {
            MESOS,
            MARATHON,
            CHRONOS
        }

        /** @param address as Mesos calls its host */
        record Agent(String address) implements Part {}
    }

    /**
     * @param path without the first slash
     * @return what was answered; it went well
     * @throws Failure WORK_REFUSED when it did not, saying who answered what
     */
    String ask(Part part, String method, String path, Optional<String> body);
}
