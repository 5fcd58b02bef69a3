import { sha256 } from '../../lib/digest.ts';

/** The key under which the label of a case is stored. */
export function labelDigest(caseId: string): string {
  return sha256(`{"label":${JSON.stringify(caseId)}}`);
}
