package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.BackEnd;
import io.deepsite.provider.Survey;
import io.deepsite.state.RecordedProvider;
import io.deepsite.state.SiteState;

/**
 * The back-end that a state is about. At any other one everything that is recorded would look gone: an apply would make it
 * a second time, and a destroy would end well and leave it all.
 */
final class RecordedBackEnd {
    private RecordedBackEnd() {}

    /** What a state records of the site's provider. */
    static RecordedProvider of(SiteContext context, BackEnd backEnd) {
        var settings = context.site().provider();
        return new RecordedProvider(
                settings.provider(), context.providers().recorded(settings), backEnd.identity(), backEnd.words());
    }

    /** @throws Failure OTHER_BACK_END */
    static Survey survey(SiteContext context, SiteState state) {
        var survey = context.surveyAnywhere();
        refuseAnother(state, context.site().provider().provider(), survey.backEnd());
        return survey;
    }

    private static void refuseAnother(SiteState state, String provider, BackEnd now) {
        if (isAnother(state, provider, now)) {
            throw new Failure(Diagnostic.error(
                    Code.OTHER_BACK_END,
                    "The state records resources on " + words(state) + "; site.yaml and its environment point to "
                            + now.words() + " (provider " + provider
                            + "). None of the site's resources would be found there. Nothing was changed.",
                    "Point site.yaml (or its environment) to the recorded back-end again; to move the site, destroy it there"
                            + " first. If the new back-end holds this very site, adopt it. If the recorded back-end is"
                            + " gone for good, remove its resources from the state:",
                    "deepsite destroy",
                    "deepsite adopt",
                    "deepsite state rm --all"));
        }
    }

    static boolean isAnother(SiteState state, String provider, BackEnd now) {
        var recorded = state.provider();
        if (recorded == null || (recorded.identity() == null && state.isEmpty())) {
            return false;
        }
        return !recorded.name().equals(provider)
                || (recorded.identity() != null && !recorded.identity().equals(now.identity()));
    }

    /** The state was written by a version that did not record the back-end's identity. */
    static boolean isUntold(SiteState state) {
        var recorded = state.provider();
        return recorded != null && recorded.identity() == null && !state.isEmpty();
    }

    /** Where nothing is left of a site, it may be made anywhere. */
    static SiteState left(SiteState state) {
        return state.isEmpty() ? state.withProvider(null) : state;
    }

    static String words(SiteState state) {
        var recorded = state.provider();
        if (recorded == null) {
            return "no back-end";
        }
        return (recorded.at() == null ? settings(recorded) : recorded.at()) + " (provider " + recorded.name() + ")";
    }

    private static String settings(RecordedProvider recorded) {
        return recorded.settings().isEmpty()
                ? "a back-end"
                : recorded.settings().toString().replaceAll("[{}]", "").replace("=", " ");
    }
}
