import { digestOf } from '../lib/digest.ts';

/** Where the label of a case is found. */
export function labelDigest(caseId: string): string {
  return digestOf({ label: caseId });
}
