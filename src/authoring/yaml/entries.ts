import type { Path } from './fault.ts';
import type { EvaluatorGrammar } from './grammar.ts';
import type { Fragment } from './source.ts';

/** Where an evaluator list is written. */
export interface EntryOrigin {
  readonly fragment: Fragment;
  readonly path: Path;
  /** Absolute folder for its relative paths. */
  readonly directory: string;
}

/** An evaluator as a mapping, even if it was written in a short form. */
export interface Entry {
  readonly value: Readonly<Record<string, unknown>>;
  readonly origin: EntryOrigin;
  /**
   * entry: position in its list. items: of the first rubric item. list: the list itself has the items. none: not
   * written.
   */
  readonly written: 'entry' | 'items' | 'list' | 'none';
  readonly index: number;
}

/** The type of evaluators that are written as texts. */
export const RUBRICS = 'rubrics';

/** The type that is used when a test has no evaluators. */
export const IMPLICIT_JUDGE = 'llm_judge';

/** The evaluators of a list; neighbouring texts are the items of one rubric. */
export function entriesOf(list: readonly EvaluatorGrammar[], origin: EntryOrigin): readonly Entry[] {
  const entries: Entry[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (item === undefined) continue;
    if (typeof item === 'string') {
      const first = index;
      while (typeof list[index + 1] === 'string') index += 1;
      const value = { type: RUBRICS, criteria: list.slice(first, index + 1) };
      entries.push({ value, origin, written: 'items', index: first });
    } else entries.push({ value: item, origin, written: 'entry', index });
  }
  return entries;
}

/** The evaluator that the list `rubrics` of a test is short for. */
export function rubricsEntry(items: readonly unknown[], origin: EntryOrigin): Entry {
  return { value: { type: RUBRICS, criteria: items }, origin, written: 'list', index: 0 };
}

/** The place of a path in an entry's value, from the top of its fragment. */
export function writtenAt({ origin, written, index }: Entry, path: Path): Path {
  if (written === 'none') return origin.path;
  if (written === 'entry') return [...origin.path, index, ...path];
  const [key, item, ...rest] = path;
  if (key === 'criteria' && typeof item === 'number') return [...origin.path, index + item, ...rest];
  return written === 'list' ? origin.path : [...origin.path, index];
}
