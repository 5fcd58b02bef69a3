import { isObject } from '../../lib/json.ts';
import type { Path } from './fault.ts';
import { evaluatorMeant } from './meant-evaluator.ts';

/** What to write in place of a value of the wrong type; `expected`: the words of the message. */
export function meantValue(value: unknown, expected: string, path: Path): string | undefined {
  if (/a (?:whole )?number/.test(expected)) {
    return numberMeant(value, expected) ?? timeMeant(value, expected, path);
  }
  if (expected.endsWith('expected a list')) return listMeant(value, path);
  if (expected.endsWith('expected a mapping')) return mappingMeant(value, path);
  const isScalar = ['number', 'bigint', 'boolean'].includes(typeof value);
  if (isScalar && expected.includes('a text')) return 'put it in quotes';
  if (isObject(value) && expected.endsWith('expected a text') && path.at(-1) === 'target')
    return 'write the definition under `targets`; `target` is the name of one of them';
  return booleanMeant(value, expected);
}

function numberMeant(value: unknown, expected: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, digits, percent] = /^\s*([-+]?\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  if (percent === '') return `write it without quotes: ${digits}`;
  return expected.includes('whole') ? undefined : didYouMean(Number(digits));
}

/** The milliseconds of `30s`, for keys that end in ms and for messages that name the unit. */
function timeMeant(value: unknown, expected: string, path: Path): string | undefined {
  const isTime = /(?:_ms|Ms)$/.test(String(path.at(-1))) || expected.includes('milliseconds');
  if (typeof value !== 'string' || !isTime) return undefined;
  const [, count, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min|h)\s*$/.exec(value) ?? [];
  if (count === undefined) return undefined;
  return `in milliseconds: ${Math.round(Number(count) * (MILLISECONDS[unit] ?? 1))}`;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

function listMeant(value: unknown, path: Path): string | undefined {
  if (isObject(value)) return 'for a list with one entry, put `- ` before it, or brackets around it';
  if (typeof value !== 'string') return undefined;
  const evaluator = isEvaluators(path) ? evaluatorMeant(value) : undefined;
  if (evaluator !== undefined) return `write [${evaluator}]`;
  return `for a list with one entry, write [${shown(value)}]`;
}

function isEvaluators(path: Path): boolean {
  return path.at(-1) === 'assert' || path.at(-1) === 'evaluators';
}

function mappingMeant(value: unknown, path: Path): string | undefined {
  return Array.isArray(value) && path.at(-1) === 'targets'
    ? 'give each target a name instead of a dash, such as  mine: { type: mock, response: hello }'
    : undefined;
}

function booleanMeant(value: unknown, expected: string): string | undefined {
  if (typeof value !== 'string' || !expected.endsWith('expected true or false')) return undefined;
  if (/^(?:true|yes|on)$/i.test(value)) return 'write true';
  return /^(?:false|no|off)$/i.test(value) ? 'write false' : undefined;
}

/** The share that a percentage means. */
export function didYouMean(percent: number): string {
  return `did you mean ${Number((percent / 100).toPrecision(12))}?`;
}

/** A value as people write it, cut after 60 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
