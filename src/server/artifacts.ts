import type { RunSummaries } from '../app/view/run-summaries.ts';
import { download } from './download.ts';
import type { Handlers } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { TrialLists } from './listed-trial.ts';

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
      const file =
        query.run === undefined
          ? await runs.attachment(sha256)
          : await (await runs.run(query.run)).attachment(sha256);
      if (file !== undefined) return download({ name: sha256, ...file });
      throw new Refusal(404, {
        code: 'attachment-not-found',
        message: `no attachment has the sha-256 "${sha256}" ${query.run === undefined ? 'on this server' : 'in that run'}`,
        hint: 'use the value of `attachment` in a result row or a log entry of the run',
      });
    },
  };
}
