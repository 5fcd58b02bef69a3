import type { Sink, SinkPlugin, SinkServices } from '../../core/log.ts';
import { runFold, type RunFold } from '../../core/run-view.ts';
import { collectSummary, readSummary } from '../summary.ts';
import { printEnd, SHOWN_ROWS } from './end.ts';
import { liveProgress, noProgress, plainProgress, type Progress } from './progress.ts';

/** Progress while a run goes on, and what it came to. */
export const terminal: SinkPlugin = {
  type: 'terminal',
  summary: 'progress and results for people: live on a terminal, plain lines elsewhere',
  create: terminalSink,
};

function terminalSink(services: SinkServices): Sink {
  const fold = runFold();
  const progress = progressFor(services, fold);
  const startedAt = services.now();
  const collector = services.seesAll ? collectSummary(SHOWN_ROWS) : undefined;
  return {
    name: 'terminal',
    write: (event) => {
      fold.apply(event);
      if (event.fact.type === 'trial-end') collector?.add(event.fact.row);
      progress.on(event);
    },
    close: async () => {
      progress.stop();
      const { reader } = services;
      const summary = collector?.summary(await reader.manifest()) ?? (await readSummary(reader, SHOWN_ROWS));
      printEnd(services, { summary, seen: fold.view(), elapsedMs: services.now() - startedAt });
    },
  };
}

function progressFor(services: SinkServices, fold: RunFold): Progress {
  if (services.verbosity === 'quiet') return noProgress;
  return services.screen.isTty && !services.ci ? liveProgress(services, fold) : plainProgress(services, fold);
}
