import type { RequestedSettings } from '../../../../src/core/run-options.ts';
import { given } from '../../../../src/lib/given.ts';
import { isObject } from '../../../../src/lib/json.ts';

const UNJUDGED = { metrics: [], outcomes: 'off' };

/** What forms of earlier versions asked for. A judge of the config then judged expected outcomes. */
const UNSCORED = { metrics: [] };

/** The part of a request that needs no language model: the agent answers once, and the answer must contain a text. */
export function withoutModels(text: string) {
  return {
    limits: { max_turns: 1 },
    judge: UNJUDGED,
    ...(text.trim() === '' ? {} : { expectations: [containing(text.trim())] }),
  };
}

/**
 * The text of a run that was asked for so; empty: the checks of the config. Undefined: it was asked for otherwise.
 * `configured`: the judge that the run had.
 */
export function textWithoutModels(
  { laid = {}, limits = {} }: RequestedSettings,
  configured?: unknown,
): string | undefined {
  const { judge, user, expectations, ...others } = laid;
  const isOnly =
    (isSame(judge, UNJUDGED) || (isSame(judge, UNSCORED) && !namesJudge(configured))) &&
    isSame(given({ ...limits }), { maxTurns: 1 }) &&
    user === undefined &&
    Object.keys(others).length === 0;
  if (!isOnly) return undefined;
  if (expectations === undefined) return '';
  const [first, ...more] = Array.isArray(expectations) ? expectations : [];
  if (!isObject(first) || more.length > 0 || typeof first['value'] !== 'string') return undefined;
  return isSame(first, containing(first['value'])) ? first['value'] : undefined;
}

function namesJudge(configured: unknown): boolean {
  if (!isObject(configured)) return typeof configured === 'string';
  return configured['model'] !== undefined || configured['target'] !== undefined;
}

function containing(value: string) {
  return { type: 'contains', value, ignore_case: true };
}

function isSame(one: unknown, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
