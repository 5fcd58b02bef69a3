import { columnsOf, padToColumns } from '../../lib/text/terminal-text.ts';
import { plural } from '../../lib/text/plural.ts';
import {
  cellOutcome,
  columnTitles,
  differs,
  UNJUDGED_MARK,
  unjudgedLegend,
  type Matrix,
  type MatrixCase,
} from '../../reading/matrix.ts';
import type { Manifest } from '../../core/manifest.ts';
import { caseText, scaleOf, scoreText } from '../../reading/phrases.ts';
import { signs, type Palette } from './palette.ts';
import { clean } from './text.ts';

const MOST_OF_CASE = 40;
const MOST_OF_TARGET = 28;

export interface MatrixStyle {
  readonly columns: number;
  readonly palette: Palette;
}

/** Cases against targets. Targets that do not fit into the width follow in further tables. */
export function matrixLines(
  matrix: Matrix,
  manifest: Pick<Manifest, 'targets'>,
  { columns, palette }: MatrixStyle,
): readonly string[] {
  if (matrix.cases.length === 0) return ['no trial has an outcome'];
  const suites = new Set(matrix.cases.map(({ suite }) => suite));
  const names = matrix.cases.map((each) =>
    clean(suites.size > 1 ? `${caseText(each)} (${each.suite})` : caseText(each), MOST_OF_CASE),
  );
  const caseWidth = Math.max(columnsOf('passed'), ...names.map(columnsOf));
  const titles = columnTitles(matrix.targets, manifest).map((title) => clean(title, MOST_OF_TARGET));
  const widths = titles.map((title, place) =>
    Math.max(
      columnsOf(title),
      columnsOf(totalText(matrix, place)),
      ...matrix.cases.map((each) => columnsOf(cellText(each, place))),
    ),
  );
  const line = (head: string, cells: readonly string[]) => [head, ...cells].join('  ').trimEnd();
  const tables = folded(widths, columns - caseWidth).map((places) => [
    palette.faint(
      line(
        padToColumns('case', caseWidth),
        places.map((place) => padToColumns(titles[place] ?? '', widths[place] ?? 0)),
      ),
    ),
    ...matrix.cases.map((each, index) =>
      line(
        padToColumns(names[index] ?? '', caseWidth),
        places.map((place) => painted(each, place, { width: widths[place] ?? 0, palette })),
      ),
    ),
    line(
      padToColumns('passed', caseWidth),
      places.map((place) => padToColumns(totalText(matrix, place), widths[place] ?? 0)),
    ),
  ]);
  const legend = unjudgedLegend(matrix);
  return [
    ...tables.flatMap((table, index) => (index === 0 ? table : ['', ...table])),
    '',
    closing(matrix),
    ...(legend === undefined ? [] : [legend]),
  ];
}

/** The places of the columns of each table. */
function folded(widths: readonly number[], room: number): readonly (readonly number[])[] {
  const tables: number[][] = [];
  let used = Infinity;
  widths.forEach((width, place) => {
    used += width + 2;
    if (used > room) {
      tables.push([]);
      used = width + 2;
    }
    tables.at(-1)?.push(place);
  });
  return tables;
}

/** The cell at a place: `✓ 1`, `✓ 1 *` with outcomes that were not judged, `✗ 0.3`, `! errored`, or `✗ 2/3, 0.8` for several repetitions. */
export function cellText({ suite, cells }: MatrixCase, place: number): string {
  const trials = cells[place] ?? [];
  const { status, passed, measured, score } = cellOutcome(trials);
  if (status === undefined) return '·';
  if (measured === 0) return `${signs[status]} ${status}`;
  const share = trials.length > 1 ? `${passed}/${measured}, ` : '';
  const mark = trials.some(({ isUnjudged }) => isUnjudged) ? ` ${UNJUDGED_MARK}` : '';
  return `${signs[status]} ${share}${scoreText(score, scaleOf({ suite }))}${mark}`;
}

function painted(
  each: MatrixCase,
  place: number,
  { width, palette }: { readonly width: number; readonly palette: Palette },
): string {
  const { status } = cellOutcome(each.cells[place] ?? []);
  const text = padToColumns(cellText(each, place), width);
  return status === undefined ? palette.faint(text) : palette.status[status](text);
}

/** How many of the measured trials of a target passed. */
export function totalText({ cases }: Matrix, place: number): string {
  const outcomes = cases.map(({ cells }) => cellOutcome(cells[place] ?? []));
  const sum = (key: 'passed' | 'measured') => outcomes.reduce((total, each) => total + each[key], 0);
  return `${sum('passed')}/${sum('measured')}`;
}

function closing({ cases, targets }: Matrix): string {
  if (targets.length < 2) return plural(cases.length, 'case');
  return `targets differ in ${cases.filter(differs).length} of ${plural(cases.length, 'case')}`;
}
