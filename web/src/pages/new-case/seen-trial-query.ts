import { queryOptions } from '@tanstack/react-query';

import type { TranscriptEntry } from '../../../../src/core/transcript.ts';
import { api } from '../../api.ts';
import { draftOfTrial } from './draft-of-trial.ts';

/** The draft case of a trial with all of its transcript. */
export const seenTrialQuery = ({ run, trial: named }: { readonly run: string; readonly trial: string }) =>
  queryOptions({
    queryKey: ['draft-of-trial', run, named],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const path = { run, trial: named };
      const trial = await api<'getTrial'>('/runs/{run}/trials/{trial}', { path }, { signal });
      const entries: TranscriptEntry[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query = { limit: 200, ...(cursor === '' ? {} : { cursor }) };
        const page = await transcriptPage({ path, query }, signal);
        entries.push(...page.data);
        cursor = page.next_cursor;
      }
      return draftOfTrial({ run, trial, entries });
    },
  });

type Asked = Parameters<typeof api<'getTranscript'>>[1];

function transcriptPage(asked: Asked, signal: AbortSignal) {
  return api<'getTranscript'>('/runs/{run}/trials/{trial}/transcript', asked, { signal });
}
