import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { Handlers } from './operation.ts';
import { Refusal } from './refusal.ts';
import { streamOf } from './stream-of.ts';
import type { TrialLists } from './trial-lists.ts';

/** Files that attempts left. They are sent as downloads and never rendered. */
export function artifactHandlers(runs: RunSummaries, lists: TrialLists): Pick<Handlers, 'getArtifact'> {
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
      return new Response(streamOf(file.content()), {
        headers: {
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(file.bytes),
          'Content-Disposition': `attachment; filename*=UTF-8''${encoded(name.split('/').at(-1) ?? '')}`,
        },
      });
    },
  };
}

/** Encoded for RFC 5987, which does not allow these characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
