package org.example.greeting;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.NamedGroup;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

public final class GreetingKind implements ClusterKind<Greeting> {
    @Override
    public String name() {
        return "greeting";
    }

    @Override
    public Class<Greeting> model() {
        return Greeting.class;
    }

    /** Of {@code deepsite init --kind greeting}. */
    @Override
    public String template() {
        return "clusters:\n  hello: {kind: greeting, hosts: [node], place: /srv/greeting}\n";
    }

    /** What the keys do not say by themselves: the groups exist, and no other greeting has them. */
    @Override
    public void check(CheckContext context, Name name, Greeting cluster) {
        context.claim("greeting", name, NamedGroup.of(cluster.hosts(), "clusters." + name + ".hosts"));
    }

    @Override
    public Requirements requirements(Site site, Name name, Greeting cluster) {
        return Requirements.NONE;
    }

    /** One stage: the role greeting on all machines, with its variables. */
    @Override
    public List<Stage> stages(Site site, Name name, Greeting cluster, List<Machine> machines) {
        return List.of(ClusterStages.stage(
                name,
                "greeting",
                ClusterStages.in(cluster.hosts(), machines),
                _ -> Map.of("greeting_place", cluster.place()),
                List.of()));
    }

    /** A script that runs on the first machine, after an apply and at each verify. */
    @Override
    public List<Acceptance> acceptance(Site site, Name name, Greeting cluster, List<Machine> machines) {
        var first = ClusterStages.in(cluster.hosts(), machines).getFirst();
        var variables = new TreeMap<String, Object>(Map.of("greeting_place", cluster.place()));
        return List.of(new Acceptance(name.value(), "greeting", first.name(), "greeting/verify.sh.j2", variables));
    }

    /** {@code deepsite run hello -- FILE} makes a file. */
    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, Greeting cluster, List<Machine> machines, Optional<Name> user) {
        var first = ClusterStages.in(cluster.hosts(), machines).getFirst();
        return new CommandPrefix(first.name(), List.of("touch"));
    }

    /** Commands of its own, by the word that calls them. */
    @Override
    public Map<String, Supplier<? extends ClusterCommand>> commands() {
        return Map.of("greet", GreetCommand::new);
    }
}
