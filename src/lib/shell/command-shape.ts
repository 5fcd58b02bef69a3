import { basename, type Leaf, type SimpleCommand } from './leaves.ts';
import { readingsOf, type OptionValue, type Reading } from './readings.ts';

export type WordTest = (word: string) => boolean;

/** A command described by its parts. */
export interface CommandShape {
  readonly executable?: WordTest | undefined;
  /** In this order. */
  readonly positionals: readonly WordTest[];
  /** By name, with dashes; `true`: without a value. */
  readonly options: ReadonlyMap<string, readonly (true | WordTest)[]>;
  readonly needsEndOfOptions?: boolean;
  /** No other positionals, options or values are allowed. */
  readonly isStrict?: boolean;
}

/** Whether a leaf, or a wrapper around it, has a reading of this form. */
export function leafFits({ command, wrappers }: Leaf, shape: CommandShape): boolean {
  return commandFits(command, shape) || wrappers.some((wrapper) => commandFits(wrapper, shape));
}

function commandFits({ executable, args }: SimpleCommand, shape: CommandShape): boolean {
  const fits = shape.executable;
  if (fits !== undefined && !fits(executable) && !fits(basename(executable))) return false;
  for (const reading of readingsOf(args)) if (readingFits(reading, shape)) return true;
  return false;
}

function readingFits(reading: Reading, shape: CommandShape): boolean {
  const { positionals, options, isStrict } = shape;
  if (shape.needsEndOfOptions === true && !reading.hasEndOfOptions) return false;
  if (isStrict === true) {
    if (reading.positionals.length !== positionals.length || reading.options.size !== options.size)
      return false;
    for (const [name, wanted] of options)
      if (reading.options.get(name)?.length !== wanted.length) return false;
  }
  if (!isSubsequence(positionals, reading.positionals)) return false;
  for (const [name, wanted] of options) if (!valuesFit(wanted, reading.options.get(name) ?? [])) return false;
  return true;
}

function isSubsequence(wanted: readonly WordTest[], words: readonly string[]): boolean {
  let met = 0;
  for (const text of words) if (wanted[met]?.(text) === true) met += 1;
  return met >= wanted.length;
}

/** Whether every expected value has its own actual value; an option without a value only matches `true`. */
function valuesFit(wanted: readonly (true | WordTest)[], values: readonly OptionValue[]): boolean {
  const takenBy = new Map<number, number>();
  const place = (row: number, tried: Set<number>): boolean => {
    const test = wanted[row];
    return values.some((value, column) => {
      if (tried.has(column) || test === undefined) return false;
      if (!(test === true ? value === true : value !== true && test(value))) return false;
      tried.add(column);
      const owner = takenBy.get(column);
      if (owner !== undefined && !place(owner, tried)) return false;
      takenBy.set(column, row);
      return true;
    });
  };
  return wanted.every((_, row) => place(row, new Set()));
}
