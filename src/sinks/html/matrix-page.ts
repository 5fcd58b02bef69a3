import type { Manifest } from '../../core/manifest.ts';
import type { Row } from '../../core/run.ts';
import { plural } from '../../lib/text/plural.ts';
import {
  cellOutcome,
  columnTitles,
  differs,
  matrixTrial,
  unjudgedLegend,
  type Matrix,
  type MatrixCase,
  type MatrixTrial,
} from '../../reading/matrix.ts';
import { answerText, caseText, scoreText, unmetGrades, whyText } from '../../reading/phrases.ts';
import type { OutputFile } from '../output-file.ts';
import { cellText, totalText } from '../terminal/matrix.ts';
import { beginPage, endPage } from './document.ts';
import { cutText, markup, nothing, type Markup } from './markup.ts';
import { matrixScript } from './matrix-script.ts';
import { matrixStyle } from './matrix-style.ts';
import { style } from './style.ts';

/** A trial with what its opened cell shows. */
export interface AnsweredTrial extends MatrixTrial {
  readonly answer: string;
  /** Why it did not pass, one text for each reason. */
  readonly reasons: readonly string[];
}

const MOST_REASONS = 5;
/** Characters of all answers and reasons in one page. A larger page opens slowly. */
const MOST_TEXT = 6_000_000;
const MOST_OF_ANSWER = 20_000;
const LEAST_OF_ANSWER = 200;

export function answeredTrial(row: Row): AnsweredTrial {
  const why = row.error === undefined ? [] : [whyText(row)];
  const unmet = unmetGrades(row)
    .slice(0, MOST_REASONS)
    .map(({ name, reason }) => `${name}: ${reason.slice(0, MOST_OF_ANSWER)}`);
  return {
    ...matrixTrial(row),
    answer: answerText(row.output).slice(0, MOST_OF_ANSWER),
    reasons: [...why, ...unmet],
  };
}

/** Cases against targets as one page. A case opens the answers of all targets, also without its script. */
export async function writeMatrixPage(
  matrix: Matrix<AnsweredTrial>,
  manifest: Pick<Manifest, 'id' | 'targets'>,
  file: OutputFile,
): Promise<void> {
  const titles = columnTitles(matrix.targets, manifest);
  const cells = matrix.targets.length * matrix.cases.length;
  const length = Math.max(LEAST_OF_ANSWER, Math.min(MOST_OF_ANSWER, Math.floor(MOST_TEXT / 2 / cells)));
  const page = {
    title: `assay matrix of ${manifest.id}`,
    style: style + matrixStyle(titles.length),
    script: matrixScript,
  };
  await file.write(beginPage(page).html);
  await file.write(header(matrix, manifest.id).html);
  await file.write(headLine(matrix, titles).html);
  for (const each of matrix.cases) await file.write(caseLine(each, { titles, length }).html);
  await file.write('</div>\n</main>\n');
  await file.write(endPage(page).html);
}

function header(matrix: Matrix, id: string): Markup {
  const { cases, targets } = matrix;
  const legend = unjudgedLegend(matrix);
  const differing =
    targets.length < 2 ? '' : ` Targets differ in ${plural(cases.filter(differs).length, 'case')}.`;
  return markup`<header class="wide">
<h1>${plural(cases.length, 'case')}, ${plural(targets.length, 'target')}</h1>
<p class="soft">Run ${id}.${differing} Open a case to read the answers of all targets.${legend === undefined ? '' : ` ${legend}.`}</p>
<div class="tools" hidden><input type="search" aria-label="Filter cases" placeholder="Filter cases"><label><input type="checkbox"> only cases that differ</label><output class="soft"></output></div>
</header>
<main class="wide">
`;
}

function headLine(matrix: Matrix, titles: readonly string[]): Markup {
  return markup`<div class="matrix">
<div class="line head"><span>Case</span>${titles.map((title, place) => markup`<span>${cutText(title, 200)} <small class="soft">${totalText(matrix, place)}</small></span>`)}</div>
`;
}

interface CaseStyle {
  readonly titles: readonly string[];
  /** Characters of each text. */
  readonly length: number;
}

/** The answers are in `noscript`, which a browser with scripts does not parse: the script does when a case is opened. */
function caseLine(each: MatrixCase<AnsweredTrial>, { titles, length }: CaseStyle): Markup {
  const outcomes = each.cells.map(cellOutcome);
  const scores = outcomes.map(({ score }) => (score === null ? '' : scoreText(score))).join(',');
  const flag = differs(each) ? markup` data-differs` : nothing;
  const cells = each.cells.map(
    (trials, place) => markup`<span class="is-${lookOf(trials)}">${cellText(each, place)}</span>`,
  );
  const answers = each.cells.map((trials, place) => answerOf(trials, titles[place] ?? '', length));
  return markup`<details class="line-case" data-scores="${scores}"${flag}><summary class="line"><span class="case">${cutText(caseText(each), 200)}</span>${cells}</summary><noscript><div class="line answers"><span class="soft">${cutText(each.suite, 300)}</span>${answers}</div></noscript></details>
`;
}

/** The first trial that did not pass, else the first. */
function answerOf(trials: readonly AnsweredTrial[], title: string, length: number): Markup {
  const shown = trials.find(({ verdict }) => verdict !== 'passed') ?? trials[0];
  if (shown === undefined) return markup`<section><h2>${title}</h2><p class="soft">not run</p></section>`;
  const which =
    trials.length > 1
      ? markup`<p class="soft">repetition ${shown.repetition} of ${trials.length}</p>`
      : nothing;
  const reasons = shown.reasons.map((reason) => markup`<p>${cutText(reason, length)}</p>`);
  const answer =
    shown.answer === ''
      ? markup`<p class="soft">no answer</p>`
      : markup`<pre>${cutText(shown.answer, length)}</pre>`;
  return markup`<section><h2>${title}</h2>${which}${answer}${reasons}</section>`;
}

function lookOf(trials: readonly MatrixTrial[]): string {
  switch (cellOutcome(trials).status) {
    case 'passed':
    case 'expected-failed':
      return 'passed';
    case 'failed':
    case 'unexpected-passed':
      return 'failed';
    case 'errored':
      return 'errored';
    default:
      return 'skipped';
  }
}
