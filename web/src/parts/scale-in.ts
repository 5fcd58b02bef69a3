import type { ManifestHead } from '../../../src/core/run-store.ts';
import type { ScoreScale } from '../../../src/core/test-case.ts';
import { scaleOfRun } from '../../../src/reading/phrases.ts';

/** The scale of the scores of a run; a run whose manifest is not known yet has no scores to show. */
export function scaleIn(manifest: ManifestHead | null | undefined): ScoreScale {
  return manifest === null || manifest === undefined ? 'fraction' : scaleOfRun(manifest);
}
