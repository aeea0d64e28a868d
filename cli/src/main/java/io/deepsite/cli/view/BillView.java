package io.deepsite.cli.view;

import io.deepsite.plan.Change;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Bill;
import io.deepsite.provider.Price;
import io.deepsite.text.Elapsed;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a plan takes of quotas, and what the site costs afterwards. */
final class BillView {
    private final Style style;

    BillView(Style style) {
        this.style = style;
    }

    /** Adds nothing where no machine comes or goes. */
    void into(Lines lines, Plan plan) {
        if (plan.steps().stream().noneMatch(BillView::countsMachines)) {
            return;
        }
        var accounts = new LinkedHashMap<String, Columns>();
        plan.bill()
                .limits()
                .forEach(limit -> accounts.computeIfAbsent(limit.account(), _ -> new Columns())
                        .row(
                                limit.what(),
                                limit.more() + " more",
                                "then " + (limit.used() + limit.more()) + " of " + limit.limit()));
        accounts.forEach((account, rows) ->
                lines.gap().add(0, style.bold("Quota") + " of " + account).append(rows.text(2)));
        var lease = plan.leaseSeconds();
        var rates = plan.bill().rates();
        if (rates.stream().anyMatch(rate -> rate.hourly().isPresent() || lease.isPresent())) {
            var until = lease.map(seconds -> ", in a lease of " + Elapsed.words(Duration.ofSeconds(seconds)));
            lines.gap().add(0, style.bold("Cost") + until.orElse("")).append(costs(rates, lease.map(BillView::hours)));
        }
    }

    private static boolean countsMachines(Step step) {
        return step instanceof Step.OfResource resource
                && resource.isMachine()
                && resource.change() != Change.UPDATE
                && resource.change() != Change.NONE;
    }

    private static String costs(List<Bill.Rate> rates, Optional<BigDecimal> hours) {
        var rows = new Columns();
        for (var rate : rates) {
            var machines = BigDecimal.valueOf(rate.machines());
            var price = sum(List.of(rate));
            rows.row(
                    rate.flavor(),
                    rate.machines() + (rate.machines() == 1 ? " machine" : " machines"),
                    hours.map(machines::multiply)
                            .map(sum -> rounded(sum).toPlainString() + " h")
                            .orElse(""),
                    price.map(sum -> words(sum, BigDecimal.ONE) + " an hour").orElse(""),
                    price.flatMap(sum -> hours.map(all -> words(sum, all))).orElse(""));
        }
        if (rates.size() > 1) {
            sum(rates)
                    .ifPresent(sum -> rows.row(
                            rates.stream().allMatch(rate -> rate.hourly().isPresent()) ? "all" : "all with a price",
                            "",
                            "",
                            words(sum, BigDecimal.ONE) + " an hour",
                            hours.map(all -> words(sum, all)).orElse("")));
        }
        return rows.text(2);
    }

    /** Of an hour, by currency; empty without prices. */
    private static Optional<SortedMap<String, BigDecimal>> sum(List<Bill.Rate> rates) {
        var sums = rates.stream()
                .flatMap(rate -> rate.hourly().stream().map(price -> price.times(BigDecimal.valueOf(rate.machines()))))
                .collect(Collectors.toMap(Price::currency, Price::amount, BigDecimal::add, TreeMap::new));
        return sums.isEmpty() ? Optional.empty() : Optional.of(sums);
    }

    private static String words(SortedMap<String, BigDecimal> sums, BigDecimal hours) {
        return sums.entrySet().stream()
                .map(sum -> new Price(rounded(sum.getValue().multiply(hours)), sum.getKey()).toString())
                .collect(Collectors.joining(" + "));
    }

    private static BigDecimal hours(long seconds) {
        return rounded(BigDecimal.valueOf(seconds).divide(BigDecimal.valueOf(3600), 2, RoundingMode.UP));
    }

    /** No more digits than needed, and cents in full. */
    private static BigDecimal rounded(BigDecimal amount) {
        var stripped = amount.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped.scale() == 1 ? stripped.setScale(2) : stripped;
    }
}
