import { invalidSentence } from '../../../../src/core/invalid-sentence.ts';
import type { InvalidHint, InvalidReason, RunComparison } from '../../../../src/core/run-comparison.ts';
import { STORED_SUITE } from '../../../../src/core/test-case.ts';
import type { Told } from '../../session/refusal-texts.ts';

type CaseNames = NonNullable<RunComparison['caseNames']>;

interface Said extends Pick<RunComparison, 'caseNames'> {
  readonly sentence: string;
  /** Those that the sentence tells, if any. */
  readonly reasons: readonly InvalidReason[];
}

/** The sentence of `assay compare`, by the controls of the page and with the names of stored cases. */
export function sentenceWords({ sentence, reasons, caseNames = {} }: Said): string {
  const said = invalidSentence(reasons);
  if (!sentence.startsWith(said)) return sentence;
  return `${invalidSentence(reasons.map((each) => reasonWords(each, caseNames)))}${sentence.slice(said.length)}`;
}

/** Why two sides cannot be compared, by the controls of the page and with the names of stored cases. */
export function reasonWords({ code, message, hint }: InvalidReason, caseNames: CaseNames): Told {
  return {
    message: code === 'selection' ? withoutFlag(message) : withName(message, caseNames),
    hint: hint === undefined ? undefined : HINTS[hint],
  };
}

const HINTS: Readonly<Record<InvalidHint, string>> = {
  'finish it with assay resume': 'finish it',
  'run them again with assay resume --retry errored, or allow more with --max-errored': 'run them again',
  'compare two complete runs, or allow it with --across selection':
    'compare two complete runs, or tick “another selection of cases” above',
  'allow it with --across case': 'tick “changed cases” above',
  'grade the older run again with assay grade, or allow it with --across grader':
    'grade the older run again, or tick “changed graders” above',
  'run both with the same threshold, or allow it with --across grader':
    'run both with the same threshold, or tick “changed graders” above',
};

const LOOKS_DIFFERENT = ', so even an unchanged agent looks different';
const FLAG = ` (--failed)${LOOKS_DIFFERENT}`;

function withoutFlag(message: string): string {
  return message.endsWith(FLAG) ? `${message.slice(0, -FLAG.length)}${LOOKS_DIFFERENT}` : message;
}

/** A message may end with a stored case: `such as <id> of stored`. */
function withName(message: string, caseNames: CaseNames): string {
  const suite = ` of ${STORED_SUITE}`;
  if (!message.endsWith(suite)) return message;
  const start = message.lastIndexOf(' ', message.length - suite.length - 1) + 1;
  const id = message.slice(start, -suite.length);
  return Object.hasOwn(caseNames, id) ? `${message.slice(0, start)}“${caseNames[id]}”` : message;
}
