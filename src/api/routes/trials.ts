import {
  transcript,
  transcriptQuery,
  trials,
  trialsQuery,
  wholeTrial,
  wholeTrialQuery,
} from '../resources/trial.ts';
import { read, type Route } from '../route.ts';

/** Trials of a run. */
export const trialRoutes = {
  listTrials: read({
    path: '/runs/{run}/trials',
    summary: 'Trials of a run that have ended',
    query: trialsQuery,
    answer: trials,
    needs: 'runs',
  }),
  getTrial: read({
    path: '/runs/{run}/trials/{trial}',
    summary:
      'One trial by its number or its encoded key; for grades of a later grading, name that run in `grading`',
    query: wholeTrialQuery,
    answer: wholeTrial,
    needs: 'runs',
  }),
  getTranscript: read({
    path: '/runs/{run}/trials/{trial}/transcript',
    summary: 'The transcript of the last attempt of a trial',
    query: transcriptQuery,
    answer: transcript,
    needs: 'runs',
  }),
  getArtifact: {
    method: 'GET',
    path: '/runs/{run}/trials/{trial}/attempts/{attempt}/artifacts/{name}',
    summary: 'Download a file that an attempt left behind',
    status: 200,
    sends: 'file',
    needs: 'runs',
  },
} as const satisfies Readonly<Record<string, Route>>;
