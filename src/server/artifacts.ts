import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { OpenArtifact } from '../core/run-store.ts';
import { download } from './download.ts';
import type { Handlers } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { TrialLists } from './trial-lists.ts';

/** Files that attempts left, and texts too large for their lines, as downloads: nothing in them is ever rendered. */
export function artifactHandlers(
  runs: RunSummaries,
  lists: TrialLists,
): Pick<Handlers, 'getArtifact' | 'getAttachment'> {
  return {
    getArtifact: async ({ path: { run: reference, trial, attempt, name } }) => {
      const run = await runs.run(reference);
      const { id } = await lists.find(run, trial);
      const isNumber = /^[1-9]\d{0,8}$/.test(attempt);
      const file = isNumber ? await run.artifact(id, { attempt: Number(attempt), name }) : undefined;
      if (file === undefined) {
        throw new Refusal(404, {
          code: 'artifact-not-found',
          message: `attempt ${attempt} of that trial left no file "${name}"`,
          hint: '`artifacts` of the trial lists its files; links are not followed',
        });
      }
      return download({ name: name.split('/').at(-1) ?? '', ...file });
    },
    getAttachment: async ({ path: { sha256 }, query }) => {
      const ids = query.run === undefined ? await runs.ids() : [(await runs.run(query.run)).name];
      const file = await attachmentIn(ids, sha256, runs);
      if (file !== undefined) return download({ name: sha256, ...file });
      throw new Refusal(404, {
        code: 'attachment-not-found',
        message: `no text with the sha-256 "${sha256}" ${query.run === undefined ? 'here' : 'in that run'}`,
        hint: 'take the sha-256 from `attachment` of a row or an entry',
      });
    },
  };
}

/** The same text may stand in several runs. */
async function attachmentIn(
  ids: readonly string[],
  sha256: string,
  runs: RunSummaries,
): Promise<OpenArtifact | undefined> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  for (const id of ids) {
    const found = await runs.open(id).attachment(sha256);
    if (found !== undefined) return found;
  }
  return undefined;
}
