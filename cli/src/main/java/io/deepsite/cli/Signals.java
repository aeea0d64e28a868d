package io.deepsite.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of the operating system. Java has no supported API for them, and a direct use of {@code sun.misc.Signal} is a
 * warning that cannot be turned off; hence reflection.
 */
final class Signals {
    private Signals() {}

    /** Restores the default handling of the signal. */
    static void reset(String name) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handlerType = Class.forName("sun.misc.SignalHandler");
            signal.getMethod("handle", signal, handlerType)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance(name),
                            handlerType.getField("SIG_DFL").get(null));
        } catch (ReflectiveOperationException e) {
            // Then on() has set no handler either.
        }
    }

    /**
     * Does nothing if the platform has no such signal.
     *
     * @param name without SIG
     */
    static void on(String name, Runnable handler) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handlerType = Class.forName("sun.misc.SignalHandler");
            InvocationHandler called = (_, method, _) -> {
                if (!method.getName().equals("handle")) {
                    throw new UnsupportedOperationException(method.getName());
                }
                handler.run();
                return null;
            };
            signal.getMethod("handle", signal, handlerType)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance(name),
                            Proxy.newProxyInstance(
                                    Signals.class.getClassLoader(), new Class<?>[] {handlerType}, called));
        } catch (ReflectiveOperationException e) {
            // Without a handler ^C ends the process at once, like kill -9: the journal makes that safe.
        }
    }
}
