import { createContext, Script } from 'node:vm';

import { quoted } from './excerpt.ts';
import { costOf } from './regexp-cost.ts';
import { remembering } from '../lib/text/remembering.ts';

/** Longest time one search may take, milliseconds. */
const TIME_LIMIT_MS = 1000;

/** Steps that surely end within a fraction of the limit, so that no watchdog is needed. */
const HARMLESS_STEPS = 1e8;

interface Compiled {
  readonly regexp: RegExp;
  /** What a search takes; undefined: no useful bound. Told when it is asked for: whoever checks a pattern does not. */
  readonly cost: () => ((length: number) => number) | undefined;
}

/**
 * Whether a JavaScript pattern matches somewhere in the text, in bounded time: what cannot take long runs directly,
 * anything else under a watchdog. Throws when it takes too long.
 */
export function matches(pattern: string, flags: string, text: string): boolean {
  const { regexp, cost: costIn } = compiled(`${flags}/${pattern}`);
  const cost = costIn();
  regexp.lastIndex = 0;
  if (cost !== undefined && cost(text.length) <= HARMLESS_STEPS) return regexp.test(text);
  return matchesWatched(regexp, text);
}

/** What is wrong with a pattern, or undefined. */
export function patternProblem(
  pattern: string,
  flags: string,
): { readonly part: 'pattern' | 'flags'; readonly message: string } | undefined {
  try {
    compiled(`${flags}/${pattern}`);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /invalid flags/i.test(message)
      ? { part: 'flags', message: `not the flags of a JavaScript pattern: ${quoted(flags)}` }
      : {
          part: 'pattern',
          message: message.replace(/^Invalid regular expression: /, 'not a JavaScript pattern: '),
        };
  }
}

const compiled = remembering(512, (key): Compiled => {
  const slash = key.indexOf('/');
  const flags = key.slice(0, slash);
  const pattern = key.slice(slash + 1);
  let known: readonly [ReturnType<typeof costOf>] | undefined;
  return {
    regexp: new RegExp(pattern, flags),
    cost: () => (known ??= [costOf(pattern, flags)])[0],
  };
});

interface Watch {
  readonly script: Script;
  readonly context: { regexp: RegExp | undefined; text: string | undefined };
}

let watch: Watch | undefined;

// One context and one compiled script for all patterns: making a context for each search would cost as much as hundreds of them.
function matchesWatched(regexp: RegExp, text: string): boolean {
  watch ??= {
    script: new Script('regexp.test(text)'),
    context: createContext({ regexp: undefined, text: undefined }) as Watch['context'],
  };
  const { script, context } = watch;
  context.regexp = regexp;
  context.text = text;
  try {
    return script.runInContext(context, { timeout: TIME_LIMIT_MS }) === true;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(
      `the pattern ${quoted(regexp.source)} took more than ${TIME_LIMIT_MS} ms on a text of ${text.length} characters; ` +
        'rewrite it so that no repetition holds another one of the same characters, as in (a+)+',
      { cause: error },
    );
  } finally {
    context.regexp = undefined;
    context.text = undefined;
  }
}
