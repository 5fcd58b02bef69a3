import type { AssertionContext } from '../core/code-suite.ts';
import { given } from '../lib/given.ts';
import type { AssertionOptions, Compared, ExplainContext } from './options.ts';

/** A question to the agent about a failed assertion. */
export interface Question {
  readonly question: string;
  /** The place of the assertion; absent when it is unknown. */
  readonly source?: { readonly file: string; readonly line: number; readonly column: number };
}

type Asked = NonNullable<AssertionOptions['explain']>['question'];

/** The data of a failed assertion; two copies of this package share it. */
const QUESTION = Symbol.for('assay.question');

interface Asking {
  readonly question: Asked;
  readonly compared: Compared;
}

export function putQuestion(error: Error, question: Asked, compared: Compared): void {
  Object.defineProperty(error, QUESTION, { value: { question, compared } satisfies Asking });
}

/** The default question, for assertions whose author gives none. */
export function generatedQuestion(sentence: string): string {
  return `A check of this session failed: ${sentence} Explain in a few sentences why you acted as you did.`;
}

/** The questions of failed assertions, in order; without those that their author switched off. */
export function questionsOf(failures: readonly Error[], context: AssertionContext): readonly Question[] {
  return failures.flatMap((error) => {
    const asking = (error as { [QUESTION]?: Asking })[QUESTION];
    if (asking === undefined) return [];
    const { question: asked, compared } = asking;
    const question = typeof asked === 'function' ? saidBy(asked, { ...context, ...compared }, error) : asked;
    if (question === undefined || question.trim() === '') return [];
    const source = sourceOf(error);
    return [{ question, ...given({ source }) }];
  });
}

/** If the function for a question throws, the failure of the assertion is still reported. */
function saidBy(
  ask: Extract<Asked, (...args: never[]) => unknown>,
  context: ExplainContext,
  { message }: Error,
): string | undefined {
  try {
    const said: unknown = ask(context);
    return typeof said === 'string' ? said : undefined;
  } catch {
    return generatedQuestion(message);
  }
}

function sourceOf(error: Error): Question['source'] {
  const { location } = error as { location?: unknown };
  const [, file, line, column] =
    /^(.*):(\d+):(\d+)$/.exec(typeof location === 'string' ? location : '') ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}
