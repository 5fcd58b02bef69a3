import { openApi } from '../api/openapi.ts';
import type { Settings } from '../api/resources/settings.ts';
import { schemaText } from '../app/schema-text.ts';
import { assayVersion } from '../app/version.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import { artifactHandlers } from './artifacts.ts';
import { comparisonHandlers } from './comparisons.ts';
import { eventHandlers } from './events.ts';
import { exportHandlers } from './exports.ts';
import { feedHandlers } from './feed.ts';
import type { Handlers, ViewOperation } from './operation.ts';
import { figureHandlers } from './run-figures.ts';
import { runHandlers } from './runs.ts';
import { trendHandlers } from './trends.ts';
import { trialLists } from './trial-lists.ts';
import { trialHandlers } from './trials.ts';
import { wholeTrialHandlers } from './whole-trial.ts';

/** Handlers of everything that needs only runs. */
export function handlersOfRuns(
  runs: RunSummaries,
  settings: () => Promise<Settings>,
): Pick<Handlers, ViewOperation> {
  const lists = trialLists();
  return {
    ...runHandlers(runs),
    ...figureHandlers(runs),
    ...trialHandlers(runs, lists),
    ...wholeTrialHandlers(runs, lists),
    ...artifactHandlers(runs, lists),
    ...exportHandlers(runs),
    ...eventHandlers(runs),
    ...feedHandlers(runs),
    ...trendHandlers(runs),
    ...comparisonHandlers(runs, lists),
    getSettings: settings,
    getOpenApi: async () => openApi(assayVersion()),
    getTestCaseSchema: async () => JSON.parse(await schemaText('case')) as object,
    getHealth: async () => ({ status: 'ok' }),
    getReadiness: async () => ({ status: 'ok' }),
  };
}
