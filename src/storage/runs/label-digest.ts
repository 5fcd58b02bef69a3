import { digestOf } from '../../lib/digest.ts';

/** The key under which the label of a case is stored. */
export function labelDigest(caseId: string): string {
  return digestOf({ label: caseId });
}
