package io.deepsite.cli.view;

import io.deepsite.state.SiteState;
import java.util.LinkedHashMap;
import java.util.Map;

/** The recorded state of a site, as a list. */
public final class StateView {
    private StateView() {}

    public static String text(SiteState state) {
        var rows = new Columns();
        state.resources().forEach((id, resource) -> rows.row(id, resource.name()));
        state.hosts()
                .forEach((name, host) -> host.roles()
                        .forEach((role, applied) -> rows.row("role/" + role + "@" + name, applied.stage())));
        return "serial " + state.serial() + ", lineage " + state.lineage() + ", written by deepsite "
                + state.toolVersion() + "\n" + (rows.isEmpty() ? "Nothing is recorded.\n" : rows.text(0));
    }

    public static Map<String, Object> json(SiteState state) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("serial", state.serial());
        fields.put("lineage", state.lineage());
        fields.put("resources", state.resources().keySet());
        var hosts = new LinkedHashMap<String, Object>();
        state.hosts().forEach((name, host) -> hosts.put(name, host.roles().keySet()));
        fields.put("hosts", hosts);
        return fields;
    }
}
