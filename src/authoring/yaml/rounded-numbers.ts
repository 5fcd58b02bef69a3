import { isObject, valueAt } from '../../lib/json.ts';
import { exactYaml } from './exact-numbers.ts';
import { fault, type Fault, type Path, pathLabel } from './fault.ts';
import type { Fragment } from './source.ts';

/** Whether a text may hold a number that is rounded; most hold none. */
export function mayRound(text: string): boolean {
  // Of sixteen digits in a row one stands at a sixteenth place: to look there first takes half the time.
  for (let at = 15; at < text.length; at += 16) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE && SIXTEEN_DIGITS.test(text.slice(at - 15, at + 16))) return true;
  }
  return false;
}

const [ZERO, NINE] = [0x30, 0x39];

const SIXTEEN_DIGITS = /\d{16}/;

/** Whole numbers below a place of a fragment that a double does not hold as they are written, by where they stand there. */
export function roundedNumbers(fragment: Fragment, place: Path): readonly Fault[] {
  return bigNumbers(valueAt(exactly(fragment), place), []).map(({ path, number }) =>
    fault('number-rounded', `${pathLabel(path)}: ${number} becomes ${Number(number)}`, {
      path,
      hint: 'in quotes it is kept as it is written',
    }),
  );
}

function exactly(fragment: Fragment): unknown {
  if (fragment.syntax !== 'yaml') return undefined;
  if (!read.has(fragment)) {
    const text = fragment.text();
    const parsed = mayRound(text) ? exactYaml(text) : undefined;
    read.set(fragment, parsed !== undefined && 'value' in parsed ? parsed.value : undefined);
  }
  return read.get(fragment);
}

/** Of a file with aliases all tests are in one. */
const read = new WeakMap<Fragment, unknown>();

interface BigNumber {
  readonly path: Path;
  readonly number: bigint;
}

function bigNumbers(value: unknown, path: Path): readonly BigNumber[] {
  if (typeof value === 'bigint') return [{ path, number: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => bigNumbers(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => bigNumbers(member, [...path, key]));
}
