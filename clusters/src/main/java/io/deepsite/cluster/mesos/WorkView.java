package io.deepsite.cluster.mesos;

import io.deepsite.cluster.mesos.MesosRun.Told;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What became of work that was given to a Mesos cluster. */
final class WorkView {
    private WorkView() {}

    /** One line, and one for each place where it runs. */
    static String text(Told told, UnaryOperator<String> bold) {
        var text = new StringBuilder(bold.apply(told.name()) + ": " + told.state());
        told.why().ifPresent(why -> text.append(". ").append(why));
        told.where().forEach(place -> text.append("\n  ").append(place));
        return text.toString();
    }

    static Map<String, Object> json(Told told) {
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
