package org.example.greeting;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Set;

/** Makes a folder on each of its machines. */
public record Greeting(
        @Key(value = "The groups that greet.", example = "[box]", required = true, impact = ChangeImpact.FILE)
        List<Name> hosts,

        @Key(value = "The folder of the greeting.", example = "/srv/greeting", impact = ChangeImpact.FILE)
        String place)
        implements Cluster {

    @Override
    public String kind() {
        return "greeting";
    }

    @Override
    public Set<Name> groups() {
        return Set.copyOf(hosts);
    }
}
