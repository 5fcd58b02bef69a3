import type { AssertionContext } from '../core/code-suite.ts';
import { given } from '../lib/given.ts';
import type { AssertionOptions, Compared, ExplainContext } from './options.ts';

/** What the agent can be asked about a failed assertion. */
export interface Question {
  readonly question: string;
  /** Where the assertion stands; absent: that cannot be told. */
  readonly source?: { readonly file: string; readonly line: number; readonly column: number };
}

type Asked = NonNullable<AssertionOptions['explain']>['question'];

/** What a failed assertion leaves behind; two copies of this package share it. */
const QUESTION = Symbol.for('assay.question');

interface Asking {
  readonly question: Asked;
  readonly compared: Compared;
}

export function putQuestion(error: Error, question: Asked, compared: Compared): void {
  Object.defineProperty(error, QUESTION, { value: { question, compared } satisfies Asking });
}

/** Asked where the author of an assertion asks nothing. */
export function generatedQuestion(sentence: string): string {
  return `A check of this session failed: ${sentence} Explain in a few sentences why you acted as you did.`;
}

/** The questions of failed assertions, in order; one whose author has none to ask leaves none. */
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

/** A question that cannot be made is no reason to lose the failure it is about. */
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
