import { RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { pageHint } from '../parts/page-words.ts';

const CHANGED = 'somebody else saved a change meanwhile. Reload the page, and try again.';

/** Why something was not done, in the server's words: one text for each problem. */
export function refusalTexts(error: unknown): readonly string[] {
  if (!(error instanceof RefusedError)) return [`the server did not answer: ${messageOf(error)}`];
  if (error.status === 412) return [CHANGED];
  const { problems = [], message, hint } = error.problem;
  return problems.length > 0 ? problems.map(textOf) : [textOf({ message, hint })];
}

/** Something that is wrong, in the server's words. */
export interface Told {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** With what a person can do about it on a page. */
export function textOf({ message, hint }: Told): string {
  const advice = pageHint(hint);
  return advice === undefined ? message : `${message} (${advice})`;
}
