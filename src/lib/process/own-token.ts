import { randomBytes, randomUUID } from 'node:crypto';

/** Part of the markers of all processes, and of the names of all temporary folders of this process. */
export const OWN_TOKEN = randomBytes(6).toString('hex');

/** The variable that marks the processes of an attempt. */
export const ATTEMPT_MARKER = 'ASSAY_ATTEMPT';

/** The variable that marks the programs of graders. */
export const GRADER_MARKER = 'ASSAY_GRADER';

/** A marker for processes of ours that belong to no attempt. */
export function ownMarker(): string {
  return `${OWN_TOKEN}-${randomUUID()}`;
}

/** Whether a text from a file is a valid token of a process. */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{12}$/.test(text);
}
