import type { Sink } from '../../core/log.ts';
import type { SinkPlugin, SinkServices } from '../plugin.ts';
import { collectSummary, readSummary } from '../../reading/summary.ts';
import { printEnd, SHOWN_ROWS } from './end.ts';
import { liveProgress, noProgress, plainProgress, type Progress } from './progress.ts';

/** Progress during a run, and its results at the end. */
export const terminal: SinkPlugin = {
  type: 'terminal',
  summary: 'progress and results for people: live on a terminal, plain lines elsewhere',
  create: terminalSink,
};

function terminalSink(services: SinkServices): Sink {
  const { reader, view } = services;
  const progress = progressFor(services);
  const startedAt = services.now();
  const collector = services.cases && collectSummary(SHOWN_ROWS, services.cases);
  return {
    name: 'terminal',
    write: (event) => {
      if (event.fact.type === 'trial-end') collector?.add(event.fact.row);
      progress.on(event);
    },
    close: async () => {
      progress.stop();
      const known = collector?.summary(await reader.manifest(), view());
      printEnd(services, known ?? (await readSummary(reader, SHOWN_ROWS)), services.now() - startedAt);
    },
  };
}

function progressFor(services: SinkServices): Progress {
  if (services.verbosity === 'quiet') return noProgress;
  return services.screen.isTty && !services.ci ? liveProgress(services) : plainProgress(services);
}
