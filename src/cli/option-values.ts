import { InvalidArgumentError } from 'commander';
import { LONGEST_TIME_MS } from '../lib/time/time-limit.ts';

/** Adds the values of a repeatable option; commas separate several. */
export function commaSeparated(value: string, previous: readonly string[] = []): string[] {
  const pieces = value.split(',').map((piece) => piece.trim());
  if (pieces.includes('')) throw new InvalidArgumentError('A value between the commas is empty.');
  return [...previous, ...pieces];
}

/** Adds one more value of a repeatable option. */
export function repeatable(value: string, previous: readonly string[] = []): string[] {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return [...previous, value];
}

/** A whole number from 1. */
export function positiveCount(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('Give a whole number from 1.');
  return number;
}

/** A whole number from 0. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isSafeInteger(number) || number < 0) {
    throw new InvalidArgumentError('Give a whole number from 0.');
  }
  return number;
}

/** A port to listen on; 0 is any free port. */
export function portNumber(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new InvalidArgumentError('Give a whole number from 0 to 65535.');
  return port;
}

/** A number from 0 to 1. */
export function fraction(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError('Give a number from 0 to 1.');
  return number;
}

/** An amount in US dollars. */
export function dollars(value: string): number {
  const written = value.replace(/^\$/, '');
  const usd = Number(written);
  if (written.trim() === '' || !(usd >= 0 && Number.isFinite(usd)))
    throw new InvalidArgumentError('Give US dollars, such as 2.50.');
  return usd;
}

/** Reads seconds and returns milliseconds. */
export function secondsAsMs(value: string): number {
  const seconds = Number(value);
  if (!(seconds > 0 && Number.isFinite(seconds)))
    throw new InvalidArgumentError('Give a number of seconds above 0.');
  if (seconds * 1000 > LONGEST_TIME_MS)
    throw new InvalidArgumentError(`Give at most ${Math.floor(LONGEST_TIME_MS / 1000)} seconds (24.8 days).`);
  return Math.ceil(seconds * 1000);
}

/** `i/n`: part i of n, both from 1. */
export function shard(value: string): { index: number; of: number } {
  const match = /^(\d+)\/(\d+)$/.exec(value);
  const index = Number(match?.[1]);
  const of = Number(match?.[2]);
  if (match === null || index < 1 || index > of)
    throw new InvalidArgumentError('Give INDEX/COUNT, such as 1/4.');
  return { index, of };
}

/** A number between 0 and 1, without 0 and 1. */
export function innerFraction(value: string): number {
  const number = fraction(value);
  if (number === 0 || number === 1) throw new InvalidArgumentError('Give a number between 0 and 1.');
  return number;
}

/** A day in UTC or a time in ISO 8601, given as a time. */
export function dateOrTime(value: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(value);
  const time = isDay ? `${value}T00:00:00Z` : value;
  const at = new Date(time);
  // A day that its month does not have becomes one of the next month.
  if ((!isDay && !isTime) || Number.isNaN(at.getTime()) || (isDay && !at.toISOString().startsWith(value)))
    throw new InvalidArgumentError('Give a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.');
  return time;
}

/** Days from now such as `90d`, or a date or time: milliseconds since 1970. */
export function endOfToken(value: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(value) ?? [];
  if (days !== undefined) return Date.now() + Number(days) * DAY_MS;
  try {
    return Date.parse(dateOrTime(value));
  } catch {
    throw new InvalidArgumentError('Give days such as 90d, or a date such as 2027-01-31.');
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
