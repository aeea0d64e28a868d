package io.deepsite.cli;

import io.deepsite.cli.view.WorkView;
import io.deepsite.cluster.mesos.MesosAccess;
import io.deepsite.cluster.mesos.MesosRun;
import io.deepsite.cluster.mesos.MesosWork;
import io.deepsite.cluster.mesos.Work;
import io.deepsite.cluster.mesos.WorkLoader;
import io.deepsite.cluster.mesos.WorkLoader.Framework;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.SiteContext;
import io.deepsite.render.JsonText;
import io.deepsite.site.Name;

/** {@code deepsite run --marathon} and {@code --chronos}. */
record WorkRun(CommandContext at, DeepsiteCommand command, WorkOptions options, Name cluster) {

    int run(SiteOption target) {
        var framework = options.framework();
        var work = WorkLoader.load(options.file(), framework);
        if (options.isDry()) {
            var json = new MesosWork(work);
            command.print(JsonText.of(framework == Framework.MARATHON ? json.app() : json.job()));
            return ExitCode.DONE.number();
        }
        return SiteContexts.with(at, target, context -> give(context, framework, work));
    }

    private int give(SiteContext context, Framework framework, Work work) {
        var access = new MesosAccess(context);
        var token = options.token();
        var told = token.isPresent()
                ? told(access.withToken(cluster, options.patience(), token.get(), options.authority()), framework, work)
                : access.asAdministrator(cluster, options.patience(), run -> told(run, framework, work));
        if (command.json()) {
            command.printJson(WorkView.json(told));
        } else {
            command.print(told.stdout());
            at.terminal().err().print(told.stderr());
            command.say(WorkView.text(told, command.style()));
        }
        return (told.isWell() ? ExitCode.DONE : ExitCode.FAILED).number();
    }

    private MesosRun.Told told(MesosRun run, Framework framework, Work work) {
        return switch (framework) {
            case MARATHON -> run.service(work, options.follows());
            case CHRONOS -> run.job(work, options.follows(), options.startsNow());
        };
    }
}
