import { createContext, Script } from 'node:vm';

import { quoted } from './excerpt.ts';
import { costOf } from './regexp-cost.ts';
import { given } from '../lib/given.ts';
import { remembering } from '../lib/text/remembering.ts';

/** Time limit of one search in milliseconds. */
const TIME_LIMIT_MS = 1000;

/** Steps that always finish within a fraction of the limit, so that no watchdog is needed. */
const HARMLESS_STEPS = 1e8;

interface Compiled {
  readonly regexp: RegExp;
  /** Maximum steps of a search; undefined when no useful bound is known. Computed when requested. */
  readonly cost: () => ((length: number) => number) | undefined;
}

/**
 * Whether a JavaScript pattern matches somewhere in the text. Fast patterns run directly; others run with a time limit.
 * Throws when the limit is exceeded.
 */
export function matches(pattern: string, flags: string, text: string): boolean {
  const { regexp, cost: costIn } = compiled(`${flags}/${pattern}`);
  const cost = costIn();
  regexp.lastIndex = 0;
  if (cost !== undefined && cost(text.length) <= HARMLESS_STEPS) return regexp.test(text);
  return matchesWatched(regexp, text);
}

interface PatternProblem {
  readonly part: 'pattern' | 'flags';
  readonly message: string;
  /** The `i` of a leading `(?i)`, which JavaScript does not support. */
  readonly leadingFlags?: string;
}

/** The mistake in a pattern, or undefined. */
export function patternProblem(pattern: string, flags: string): PatternProblem | undefined {
  try {
    compiled(`${flags}/${pattern}`);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /invalid flags/i.test(message)
      ? { part: 'flags', message: `invalid regular expression flags: ${quoted(flags)}` }
      : {
          part: 'pattern',
          message: message.replace(/^Invalid regular expression: /, 'invalid regular expression: '),
          ...given({ leadingFlags: /^\(\?([ims]+)\)/.exec(pattern)?.[1] }),
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

// One context and one compiled script for all patterns: a context per search would cost as much as hundreds of
// searches.
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
        'rewrite it without nested repetitions of the same characters, such as (a+)+',
      { cause: error },
    );
  } finally {
    context.regexp = undefined;
    context.text = undefined;
  }
}
