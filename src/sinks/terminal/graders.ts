import { columnsOf, padToColumns } from '../../lib/text/terminal-text.ts';
import type { ScoreScale } from '../../core/test-case.ts';
import { plural } from '../../lib/text/plural.ts';
import { graderText, type GraderTotals } from '../../reading/grader-totals.ts';
import { derivedText, type DerivedTotals } from '../../reading/derived-totals.ts';
import type { Palette } from './palette.ts';
import { clean } from './text.ts';

const MOST_OF_NAME = 50;

interface GraderNotes {
  /** Grades of further names, which are not counted. */
  readonly left: number;
  readonly derived: readonly DerivedTotals[];
  readonly scale: ScoreScale;
}

/** A line for each grader, formula and target. */
export function graderLines(
  graders: readonly GraderTotals[],
  { left, derived, scale }: GraderNotes,
  { columns, palette }: { readonly columns: number; readonly palette: Palette },
): readonly string[] {
  if (graders.length === 0) return ['no trial was graded'];
  const rowsOf = (name: string, targets: readonly (readonly [target: string, text: string])[]) =>
    targets.map(([target, text], place) => [
      place === 0 ? clean(name, MOST_OF_NAME) : '',
      clean(target, MOST_OF_NAME),
      text,
    ]);
  const rows = [
    ...graders.flatMap(({ name, targets }) =>
      rowsOf(
        name,
        targets.map((total) => [total.target, graderText(total, scale)]),
      ),
    ),
    ...derived.flatMap(({ name, formula, targets }) =>
      rowsOf(
        name,
        targets.map(({ target, value }) => [target, `${derivedText(value)} = ${clean(formula, 100)}`]),
      ),
    ),
  ];
  const widths = [0, 1].map((place) => Math.max(6, ...rows.map((row) => columnsOf(row[place] ?? ''))));
  const [first = 0, second = 0] = widths;
  const isNarrow = first + second + 30 > columns;
  const line = ([name = '', target = '', text = '']: readonly string[]) =>
    isNarrow
      ? [...(name === '' ? [] : [name]), `  ${target}`, `    ${text}`]
      : [`${padToColumns(name, first)}  ${padToColumns(target, second)}  ${text}`.trimEnd()];
  return [
    ...(isNarrow
      ? []
      : [palette.faint(`${padToColumns('grader', first)}  ${padToColumns('target', second)}  passed`)]),
    ...rows.flatMap(line),
    ...(left === 0
      ? []
      : [palette.faint(`${plural(left, 'grade')} of further names are not counted: use \`metric\``)]),
  ];
}
