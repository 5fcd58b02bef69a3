import { dirname, join, relative, sep } from 'node:path';

import type { ArtifactsEnd, AttemptArtifacts } from '../../core/target.ts';
import type { TrialId } from '../../core/trial.ts';
import { artifactsIn, type ArtifactOptions } from '../attempts/artifact-folder.ts';
import { trialDirectoryName, type RunPaths } from './paths.ts';
import { removeIfEmpty } from './remove-if-empty.ts';

const NOTHING_LEFT: ArtifactsEnd = { notes: [] };

/** The artifacts of one attempt, under `trials/<trial>/attempt-<n>`. */
export function attemptDirectory(
  paths: RunPaths,
  trial: TrialId & { readonly attempt: number },
  options: ArtifactOptions,
): AttemptArtifacts {
  // Most attempts leave no files, and the name of a trial's directory needs a digest.
  let known: string | undefined;
  const placeOf = () => (known ??= join(paths.trials, trialDirectoryName(trial), `attempt-${trial.attempt}`));
  const files = artifactsIn(placeOf, options);
  return {
    ...files,
    async close() {
      if (files.isUnused()) return NOTHING_LEFT;
      await files.clearScratch();
      const lost = files.lost();
      if (known === undefined) return { notes: lost };
      // `trials` stays for the next attempt; the end of the log removes it.
      if (removeIfEmpty(known)) removeIfEmpty(dirname(known));
      else {
        const notes = await files.close();
        const directory = relative(paths.directory, known).split(sep).join('/');
        if (notes !== undefined) return { directory, notes: [...lost, ...notes] };
      }
      return { notes: lost };
    },
  };
}
