import { remembering } from '../../lib/text/remembering.ts';

/** The names that a check in a text can use. `context` is the last one: statements may declare it themselves. */
export const NAMES = [
  'output',
  'vars',
  'metadata',
  'expected',
  'question',
  'criteria',
  'turns',
  'toolCalls',
  'calls',
  'transcript',
  'testId',
  'target',
  'durationMs',
  'costUsd',
  'workspacePath',
  'config',
  'assert',
  'context',
] as const;

/** The function of a check in a text: the text is an expression, or statements with `return`. Throws a SyntaxError. */
export function functionSource(text: string): string {
  const expression = `'use strict'; (async (${NAMES.join(', ')}) => (\n${text.replace(/;\s*$/, '')}\n))`;
  if (faultOf(expression) === undefined) return expression;
  const body = statements(text, NAMES);
  const fault = faultOf(body);
  if (fault === undefined) return body;
  const withOwnContext = statements(text, NAMES.slice(0, -1));
  if (faultOf(withOwnContext) !== undefined) throw fault;
  return withOwnContext;
}

function statements(text: string, names: readonly string[]): string {
  return `'use strict'; (async (${names.join(', ')}) => {\n${text}\n})`;
}

/** Why a text is not a check; undefined when it is one. */
export function textFault(text: string): string | undefined {
  return readText(text).fault;
}

/** Many tests have the same check. */
const readText = remembering(512, (text): { readonly fault: string | undefined } => ({
  fault: faultIn(text),
}));

function faultIn(text: string): string | undefined {
  try {
    const source = functionSource(text);
    const isStatements = source.endsWith('\n})');
    return isStatements && !/\breturn\b|\bassert\b|\bthrow\b/.test(text)
      ? 'never returns: end the statements with `return`'
      : undefined;
  } catch (error) {
    const { message, stack = '' } = error as SyntaxError;
    const [, line] = /^check:(\d+)/.exec(stack) ?? [];
    const last = text.split('\n').length;
    const shown = line === undefined ? '' : ` (line ${Math.min(Math.max(Number(line) - 1, 1), last)})`;
    return `is not JavaScript: ${message}${shown}`;
  }
}

function faultOf(source: string): SyntaxError | undefined {
  const { Script } = process.getBuiltinModule('node:vm');
  try {
    // Compiles and does not run.
    void new Script(source, { filename: 'check' });
    return undefined;
  } catch (error) {
    return error as SyntaxError;
  }
}
