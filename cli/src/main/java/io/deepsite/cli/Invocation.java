package io.deepsite.cli;

import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.operations.ClusterAccess;
import io.deepsite.site.Name;
import java.util.function.ToIntFunction;

/** What code of a kind of cluster gets while a command runs. */
record Invocation(DeepsiteCommand command, SiteOption target) implements InvocationContext {
    @Override
    public int withSite(ToIntFunction<SiteAccess> work) {
        return SiteContexts.with(command.at, target, context -> work.applyAsInt(new ClusterAccess(context)));
    }

    @Override
    public Name name(String typed) {
        return Names.parse(typed);
    }

    @Override
    public boolean json() {
        return command.json();
    }

    @Override
    public void print(String text) {
        command.print(text);
    }

    @Override
    public void printJson(Object value) {
        command.printJson(value);
    }

    @Override
    public void printError(String text) {
        command.at.terminal().err().print(text);
    }

    @Override
    public void say(String text) {
        command.say(text);
    }

    @Override
    public String bold(String text) {
        return command.style().bold(text);
    }
}
