import type { Path } from './fault.ts';
import type { EvaluatorGrammar } from './grammar.ts';
import type { Fragment } from './source.ts';

/** Where an evaluator list is written. */
export interface EntryOrigin {
  readonly fragment: Fragment;
  /** Path of the list. */
  readonly path: Path;
  /** Absolute folder that its relative paths start from. */
  readonly directory: string;
}

/** An evaluator as a mapping, whatever its short form was. */
export interface Entry {
  readonly value: Readonly<Record<string, unknown>>;
  readonly origin: EntryOrigin;
  /** Where a path of the value is written, from the top of the fragment. */
  at(path: Path): Path;
}

/** The evaluators of a list; neighbouring texts are the items of one rubric. */
export function entriesOf(list: readonly EvaluatorGrammar[], origin: EntryOrigin): readonly Entry[] {
  const entries: Entry[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (item === undefined) continue;
    if (typeof item !== 'string') {
      const at = index;
      entries.push({ value: item, origin, at: (path) => [...origin.path, at, ...path] });
      continue;
    }
    const first = index;
    while (typeof list[index + 1] === 'string') index += 1;
    entries.push(rubric(list.slice(first, index + 1), origin, first));
  }
  return entries;
}

/** The evaluator that a list of rubric items is short for; `first`: position of the first item in its list. */
export function rubric(items: readonly unknown[], origin: EntryOrigin, first = 0): Entry {
  return {
    value: { type: 'rubrics', criteria: items },
    origin,
    at: ([key, item, ...rest]) => {
      if (key === 'criteria' && typeof item === 'number') return [...origin.path, first + item, ...rest];
      return first === 0 && origin.path.at(-1) === 'rubrics' ? origin.path : [...origin.path, first];
    },
  };
}
