package io.deepsite.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of the operating system. Java has no supported way to get them; {@code sun.misc.Signal} is asked by reflection,
 * because naming it is a warning that cannot be turned off.
 */
final class Signals {
    private Signals() {}

    /** What the signal does without a handler. */
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
            // There is none to be taken away, see below.
        }
    }

    /**
     * Does nothing where the platform has no such signal.
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
            // Without it ^C ends the process at once, as kill -9 does: the journal makes that safe.
        }
    }
}
