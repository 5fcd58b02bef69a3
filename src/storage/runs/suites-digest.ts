import type { Manifest } from '../../core/manifest.ts';
import { sha256 } from '../../lib/digest.ts';

/** The digest of all cases of a run with their graders, however often they run. Runs with different ones cannot be put into one series. */
export function suitesDigest({ suites }: Pick<Manifest, 'suites'>): string {
  return sha256(JSON.stringify(suites.map(({ id, digest, casesDigest = digest }) => [id, casesDigest])));
}
