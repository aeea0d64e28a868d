package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reservations as the role and the acceptance script take them. */
final class SlurmReservations {
    private SlurmReservations() {}

    /**
     * @param nodes all that Slurm knows, whichever of the elastic ones exist
     * @return by name: the first start in seconds since 1970, the length in minutes, and lists of names
     */
    static List<Map<String, Object>> entries(Slurm slurm, List<Machine> nodes) {
        return slurm.reservations().entrySet().stream()
                .map(entry -> {
                    var reservation = entry.getValue();
                    var values = new LinkedHashMap<String, Object>();
                    values.put("name", entry.getKey().value());
                    values.put("start", reservation.start().instant().getEpochSecond());
                    values.put("minutes", SlurmAccounts.minutes(reservation.duration()));
                    values.put("repeats", reservation.repeats().orElse("").toUpperCase(Locale.ROOT));
                    values.put("nodes", nodes(slurm, reservation, nodes));
                    values.put("users", texts(reservation.users()));
                    values.put("accounts", texts(reservation.accounts()));
                    values.put("maintenance", reservation.maintenance());
                    return (Map<String, Object>) values;
                })
                .toList();
    }

    static SortedMap<String, Object> proof(Site site, Slurm slurm) {
        return new TreeMap<>(Map.of(
                "slurm_verify_user",
                SiteStages.VERIFY_USER,
                "slurm_verify_reservations",
                slurm.reservations().entrySet().stream()
                        .map(entry -> Map.<String, Object>of(
                                "name", entry.getKey().value(), "user", someoneIn(site, slurm, entry.getValue())))
                        .toList()));
    }

    private static List<String> nodes(Slurm slurm, Reservation reservation, List<Machine> nodes) {
        var groups = reservation.groups().isEmpty() ? slurm.compute() : reservation.groups();
        var names = in(groups, nodes).stream().map(Machine::name).toList();
        return names.subList(0, Math.min(names.size(), reservation.nodes().orElse(names.size())));
    }

    /** Empty where nobody of the site is. */
    private static String someoneIn(Site site, Slurm slurm, Reservation reservation) {
        var accounts = new SlurmAccounts(site, slurm);
        return reservation.users().stream()
                .findFirst()
                .or(() -> reservation.accounts().stream()
                        .flatMap(account -> accounts.members(accounts.account(account)).stream())
                        .findFirst())
                .map(Name::value)
                .orElse("");
    }

    private static List<String> texts(List<Name> names) {
        return names.stream().map(Name::value).toList();
    }
}
