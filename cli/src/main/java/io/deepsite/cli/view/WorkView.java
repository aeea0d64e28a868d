package io.deepsite.cli.view;

import io.deepsite.cluster.mesos.MesosRun.Told;
import java.util.LinkedHashMap;
import java.util.Map;

/** What became of work that was given to a Mesos cluster. */
public final class WorkView {
    private WorkView() {}

    /** One line, and one for each place where it runs. */
    public static String text(Told told, Style style) {
        var text = new StringBuilder(style.bold(told.name()) + ": " + told.state());
        told.why().ifPresent(why -> text.append(". ").append(why));
        told.where().forEach(place -> text.append("\n  ").append(place));
        return text.toString();
    }

    public static Map<String, Object> json(Told told) {
        var json = new LinkedHashMap<String, Object>();
        json.put("name", told.name());
        json.put("state", told.state());
        told.why().ifPresent(why -> json.put("why", why));
        json.put("where", told.where());
        json.put("stdout", told.stdout());
        json.put("stderr", told.stderr());
        return json;
    }
}
