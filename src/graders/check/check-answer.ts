import { isObject } from '../../lib/json.ts';

/** What a check said, read and checked. */
export type CheckSaid =
  | CheckScore
  /** The check itself is broken, so that nothing was measured. `beyond`: its only mistake is this score. */
  | { readonly fault: string; readonly beyond?: CheckScore };

interface CheckScore {
  readonly score: number;
  readonly passed?: boolean;
  readonly reason?: string;
}

/** A score above 1 as 1, and one below 0 as 0. */
export function clamped(said: CheckSaid): CheckSaid {
  if (!('fault' in said) || said.beyond === undefined) return said;
  return { ...said.beyond, score: said.beyond.score > 1 ? 1 : 0 };
}

/** Reads what a check returned. */
export function readAnswer(answer: unknown): CheckSaid {
  if (typeof answer === 'boolean') return { score: answer ? 1 : 0 };
  if (typeof answer === 'number')
    return isScore(answer) ? { score: answer } : { ...wrong(answer), ...beyond(answer, {}) };
  if (!isObject(answer)) return wrong(answer);
  const { score, pass, reason } = answer;
  if (pass !== undefined && typeof pass !== 'boolean')
    return { fault: `the check returned pass: ${shown(pass)}; it must be true or false` };
  if (reason !== undefined && typeof reason !== 'string')
    return { fault: `the check returned reason: ${shown(reason)}; it must be a text` };
  const said = {
    ...(pass === undefined ? {} : { passed: pass }),
    ...(reason === undefined ? {} : { reason }),
  };
  if (score === undefined && pass !== undefined) return { score: pass ? 1 : 0, ...said };
  if (isScore(score)) return { score, ...said };
  const fault = `the check returned score: ${shown(score)}; it must be a number from 0 to 1`;
  return { fault, ...beyond(score, said) };
}

/** Reads what a check threw: a failed assertion is a grade, anything else a fault. */
export function readThrown(thrown: unknown): CheckSaid {
  if (!(thrown instanceof Error)) return { fault: `the check threw ${shown(thrown)}` };
  if (thrown.name === 'AssertionError') return { score: 0, reason: thrown.message.trim() };
  const place = thrown.stack?.split('\n').find((line) => /^\s+at /.test(line) && /check|file:|\//.test(line));
  const where = place === undefined ? '' : ` (${place.trim()})`;
  return { fault: `the check threw ${thrown.name}: ${thrown.message}${where}` };
}

const EXPECTED = 'return true, false, a number from 0 to 1, or { score or pass, reason }';

function wrong(answer: unknown): { readonly fault: string } {
  return { fault: `the check returned ${shown(answer)}; ${EXPECTED}` };
}

function beyond(score: unknown, said: Partial<CheckScore>): { readonly beyond?: CheckScore } {
  return Number.isFinite(score) ? { beyond: { ...said, score: Number(score) } } : {};
}

function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function shown(value: unknown): string {
  if (typeof value !== 'string')
    return String(typeof value === 'object' && value !== null ? 'an object' : value);
  return JSON.stringify(value.length > 120 ? `${value.slice(0, 120)}...` : value);
}
