import type { Subject } from '../core/grade.ts';
import { jsonOf, textOf } from '../core/message.ts';
import { given } from '../lib/given.ts';
import type { JsonValue } from '../lib/json.ts';

/** The content of the last message in the expected output. */
export interface Reference {
  readonly text: string;
  /** Present when it was written as a structure. */
  readonly json?: JsonValue;
}

/** The reference of a case. Throws when the case has no expected output. */
export function referenceOf(subject: Subject): Reference {
  const message = subject.case.expectedOutput?.at(-1);
  if (message === undefined) {
    throw new Error(
      'no reference to compare with; add `expected_output` to the test, or `value` to the grader',
    );
  }
  const json = jsonOf(message.parts);
  return { text: textOf(message.parts), ...given({ json }) };
}
