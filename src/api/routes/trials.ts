import {
  transcript,
  transcriptQuery,
  trials,
  trialsQuery,
  wholeTrial,
  wholeTrialQuery,
} from '../resources/trial.ts';
import { download, readRuns, type Route } from '../route.ts';

/** Trials of a run. */
export const trialRoutes = {
  listTrials: readRuns({
    path: '/runs/{run}/trials',
    summary: 'Trials of a run that have ended',
    query: trialsQuery,
    answer: trials,
  }),
  getTrial: readRuns({
    path: '/runs/{run}/trials/{trial}',
    summary:
      'One trial by its number or its encoded key; for grades of a later grading, name that run in `grading`',
    query: wholeTrialQuery,
    answer: wholeTrial,
  }),
  getTranscript: readRuns({
    path: '/runs/{run}/trials/{trial}/transcript',
    summary: 'The transcript of the last attempt of a trial',
    query: transcriptQuery,
    answer: transcript,
  }),
  getArtifact: download({
    path: '/runs/{run}/trials/{trial}/attempts/{attempt}/artifacts/{name}',
    summary: 'Download a file that an attempt left behind',
    needs: 'runs',
  }),
} as const satisfies Readonly<Record<string, Route>>;
