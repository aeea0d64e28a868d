package io.deepsite.state;

import java.io.Serial;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.module.SimpleModule;

/**
 * Lets Jackson call constructors of records by reflection. Its method handles make the JVM generate classes for each
 * signature, a tenth of all work in a run of one second; reflection needs none ({@code
 * jdk.reflect.useNativeAccessorOnly} in {@code dist/assemble}).
 */
public final class PlainConstructors extends SimpleModule {
    @Serial
    private static final long serialVersionUID = 1;

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.addValueInstantiators(new ValueInstantiators.Base() {
            @Override
            public ValueInstantiator modifyValueInstantiator(
                    DeserializationConfig config, BeanDescription.Supplier bean, ValueInstantiator usual) {
                return usual instanceof StdValueInstantiator standard ? new Plain(standard) : usual;
            }
        });
    }

    private static final class Plain extends StdValueInstantiator {
        @Serial
        private static final long serialVersionUID = 1;

        Plain(StdValueInstantiator usual) {
            super(usual);
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, Object[] arguments) {
            if (_withArgsCreator == null || !(_withArgsCreator.getAnnotated() instanceof Constructor<?> constructor)) {
                return super.createFromObjectWith(context, arguments);
            }
            try {
                return constructor.newInstance(arguments);
            } catch (InvocationTargetException e) {
                return context.handleInstantiationProblem(
                        _valueClass, arguments, rewrapCtorProblem(context, e.getTargetException()));
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                return context.handleInstantiationProblem(_valueClass, arguments, rewrapCtorProblem(context, e));
            }
        }
    }
}
