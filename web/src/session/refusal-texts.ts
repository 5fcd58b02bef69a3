import { RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';

/** Why something was not done, in the server's words: one text for each problem. */
export function refusalTexts(error: unknown): readonly string[] {
  if (!(error instanceof RefusedError)) return [`the server did not answer: ${messageOf(error)}`];
  const { problems = [], message, hint } = error.problem;
  return problems.length > 0 ? problems.map(textOf) : [textOf({ message, hint })];
}

interface Told {
  readonly message: string;
  readonly hint?: string | undefined;
}

function textOf({ message, hint }: Told): string {
  return hint === undefined ? message : `${message} (${hint})`;
}
