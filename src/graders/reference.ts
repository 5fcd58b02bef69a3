import type { Subject } from '../core/grade.ts';
import { jsonOf, textOf } from '../core/message.ts';
import { given } from '../lib/given.ts';
import type { JsonValue } from '../lib/json.ts';

/** The content of the last message of the expected output. */
export interface Reference {
  readonly text: string;
  /** Present when it was written as a structure. */
  readonly json?: JsonValue;
}

/** The reference of a case; throws when the case has none. */
export function referenceOf(subject: Subject): Reference {
  const message = subject.case.expectedOutput?.at(-1);
  if (message === undefined) {
    throw new Error(
      'there is no reference to compare with; give the test an `expected_output`, or the grader a `value`',
    );
  }
  const json = jsonOf(message.parts);
  return { text: textOf(message.parts), ...given({ json }) };
}
