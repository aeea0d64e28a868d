package io.deepsite.cluster.mesos;

import io.deepsite.diag.Failure;
import java.util.Optional;

/** The HTTP APIs of a Mesos cluster, by any route. */
interface MesosApi {

    /** The recipient of a request: the leading master or framework, or a host's agent. */
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
     * @param path without the leading slash
     * @return the body of a successful answer
     * @throws Failure WORK_REFUSED otherwise, saying who answered what
     */
    String ask(Part part, String method, String path, Optional<String> body);
}
