import { queryOptions } from '@tanstack/react-query';

import { allPages } from '../../../../src/api/all-pages.ts';
import { api } from '../../api.ts';
import { draftOfTrial } from './draft-of-trial.ts';

/** The draft case of a trial with all of its transcript. */
export const seenTrialQuery = (path: { readonly run: string; readonly trial: string }) =>
  queryOptions({
    queryKey: ['draft-of-trial', path.run, path.trial],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const trial = await api<'getTrial'>('/runs/{run}/trials/{trial}', { path }, { signal });
      const entries = await allPages((query) =>
        api<'getTranscript'>('/runs/{run}/trials/{trial}/transcript', { path, query }, { signal }),
      );
      return draftOfTrial({ run: path.run, trial, entries });
    },
  });
