package io.deepsite.service.sites;

import java.util.List;
import java.util.SortedSet;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.json.JsonMapper;

/** Rows of sites with elastic machines, and who follows them. Each call is part of the caller's transaction. */
final class ElasticTable {
    static final String TASK = "elastic";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** In use, and nothing changes it: a run that does goes first. */
    private static final String AT_REST = "built AND status IN ('ready', 'planning', 'planned', 'waiting')";

    private ElasticTable() {}

    /** Built ones of which nobody has looked whether they have such machines. */
    static List<String> unknown(Handle handle) {
        return handle.createQuery("SELECT id FROM service.site WHERE elastic IS NULL AND " + AT_REST)
                .mapTo(String.class)
                .list();
    }

    static void known(Handle handle, String site, boolean elastic) {
        handle.execute("UPDATE service.site SET elastic = ? WHERE id = ?", elastic, site);
    }

    static boolean isElastic(Handle handle, String site) {
        return handle.createQuery("SELECT coalesce(elastic, false) FROM service.site WHERE id = :id")
                .bind("id", site)
                .mapTo(Boolean.class)
                .one();
    }

    /** That somebody has to follow, and nobody does. */
    static List<String> alone(Handle handle) {
        return handle.createQuery("SELECT id FROM service.site WHERE elastic AND " + AT_REST
                        + " AND NOT EXISTS (SELECT 1 FROM service.elastic_tasks t"
                        + " WHERE t.task_name = '" + TASK + "' AND t.task_instance = id)")
                .mapTo(String.class)
                .list();
    }

    /** Whether this process is the one that follows it, and nothing changed what it is to be. */
    static boolean isFollowed(Handle handle, SiteRow site, String process) {
        return handle.createQuery("SELECT count(*) FROM service.site s JOIN service.elastic_tasks t"
                                + " ON t.task_name = '" + TASK + "' AND t.task_instance = s.id"
                                + " WHERE s.id = :id AND s.yaml = :yaml AND s.parameters = :parameters AND "
                                + AT_REST
                                + " AND t.picked AND t.picked_by = :process")
                        .bind("id", site.id())
                        .bind("yaml", site.yaml())
                        .bind("parameters", JSON.writeValueAsString(site.parameters()))
                        .bind("process", process)
                        .mapTo(Integer.class)
                        .one()
                == 1;
    }

    static void machines(Handle handle, String site, SortedSet<String> machines) {
        handle.execute(
                "UPDATE service.site SET elastic_machines = ? WHERE id = ?", JSON.writeValueAsString(machines), site);
    }

    /** Of processes that are no more. */
    static int forget(Handle handle) {
        return handle.execute("DELETE FROM service.elastic_tasks");
    }
}
