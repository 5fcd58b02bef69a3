import type { RunSummaries } from '../app/view/run-summaries.ts';
import { turnLatencies } from '../reading/turn-latencies.ts';
import type { Handlers } from './operation.ts';
import { byIndex, pageFrom } from './pages.ts';
import type { TrialLists } from './listed-trial.ts';

/** Lists trials, and shows what was said in one. */
export function trialHandlers(
  runs: RunSummaries,
  lists: TrialLists,
): Pick<Handlers, 'listTrials' | 'getTranscript' | 'getMatrix'> {
  return {
    listTrials: async ({ path, query }) => lists.page(await runs.run(path.run), query),
    getTranscript: async ({ path, query }) => {
      const run = await runs.run(path.run);
      const { trial, latency } = await lists.find(run, path.trial);
      const entries = (await run.transcripts(new Set([trial.key]))).get(trial.key) ?? [];
      // Ids come from the agent's program and may repeat.
      const page = pageFrom(entries, query, byIndex);
      const turns = turnLatencies(entries, latency).map(({ turn, ms }) => ({ turn, latency_ms: ms }));
      return { ...page, turns };
    },
    getMatrix: async ({ path, query }) => {
      const run = await runs.run(path.run);
      const targets = (await run.head()).targets.map(({ name }) => name);
      const { data, ...rest } = await lists.cases(run, query);
      return {
        targets,
        cases: data.map(({ marks, ...row }) => ({
          ...row,
          cells: targets.map((name) => marks.flatMap(({ target, ...mark }) => (target === name ? mark : []))),
        })),
        ...rest,
      };
    },
  };
}
