package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** What must hold between the keys of reservations. */
final class SlurmReservationChecks {
    private final CheckContext context;
    private final Places places;
    private final Findings findings;
    private final Slurm slurm;
    private final String path;
    private final Collection<Name> users;

    /** @param path of the cluster in site.yaml */
    SlurmReservationChecks(CheckContext context, Slurm slurm, String path) {
        this.context = context;
        this.places = context.places();
        this.findings = context.findings();
        this.slurm = slurm;
        this.path = path;
        this.users = context.site().users().keySet();
    }

    void run() {
        slurm.reservations()
                .forEach((name, reservation) -> reservation(name, reservation, path + ".reservations." + name));
    }

    private void reservation(Name name, Reservation reservation, String place) {
        named("compute group", reservation.groups(), slurm.compute(), path + ".compute", place + ".groups");
        named("user", reservation.users(), users, "users", place + ".users");
        named("account", reservation.accounts(), slurm.accounts().keySet(), path + ".accounts", place + ".accounts");
        if (reservation.maintenance()) {
            for (var key : List.of("users", "accounts")) {
                findings.noEffect(places, place + "." + key, "Nobody's jobs run during maintenance.");
            }
        } else if (reservation.users().isEmpty() && reservation.accounts().isEmpty()) {
            findings.faultOnce(
                    Code.WHO_UNCLEAR,
                    places.ofKey(place),
                    "The reservation " + name + " is for nobody.",
                    "Name users or accounts in it, or write maintenance: true.");
        }
        var period = reservation.repeats().orElse("").equals("weekly") ? Duration.ofDays(7) : Duration.ofDays(1);
        if (reservation.repeats().isPresent()
                && reservation.duration().duration().compareTo(period) >= 0
                && !findings.isUnsound(place + ".duration")) {
            findings.faultOnce(
                    Code.WRONG_ORDER,
                    places.of(place + ".duration"),
                    "It comes back before it has ended.",
                    "Make it shorter than " + period.toDays() + "d, or remove repeats.");
        }
    }

    private void named(String what, List<Name> names, Collection<Name> known, String where, String place) {
        for (int i = 0; i < names.size(); i++) {
            context.isThere(what, names.get(i), known, where, place + "[" + i + "]");
        }
    }
}
