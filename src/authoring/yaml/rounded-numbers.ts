import { isObject, valueAt } from '../../lib/json.ts';
import { exactYaml } from './exact-numbers.ts';
import { fault, type Fault, type Path, pathLabel } from './fault.ts';
import type { Fragment } from './source.ts';

/** Whether a text may hold a number that is rounded; most hold none. */
export function mayRound(text: string): boolean {
  return SIXTEEN_DIGITS.test(text);
}

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
