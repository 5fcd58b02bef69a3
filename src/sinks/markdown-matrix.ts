import type { Manifest } from '../core/manifest.ts';
import { caseText } from '../reading/phrases.ts';
import { columnTitles, unjudgedLegend, type Matrix } from '../reading/matrix.ts';
import { text } from './markdown-text.ts';
import { cellText, totalText } from './terminal/matrix.ts';

/** Cases against targets as a table of Markdown. */
export function markdownMatrix(matrix: Matrix, manifest: Pick<Manifest, 'targets'>): string {
  const suites = new Set(matrix.cases.map(({ suite }) => suite));
  const titles = columnTitles(matrix.targets, manifest).map((title) => text(title, 100));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const legend = unjudgedLegend(matrix);
  return [
    line(['case', ...titles]),
    line(['---', ...titles.map(() => '---')]),
    ...matrix.cases.map((each) => {
      const name = text(suites.size > 1 ? `${caseText(each)} (${each.suite})` : caseText(each), 200);
      return line([name, ...each.cells.map((_, place) => text(cellText(each, place), 100))]);
    }),
    line(['passed', ...matrix.targets.map((_, place) => totalText(matrix, place))]),
    ...(legend === undefined ? [] : [`\n${text(legend, 100)}\n`]),
  ].join('');
}
