import type { Grade } from '../../core/grade.ts';
import type { Row } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';
import {
  caseText,
  answerText,
  gradeWord,
  meanText,
  neededText,
  scaleOf,
  scoreText,
  turnsText,
  unmetGrades,
} from '../../reading/phrases.ts';
import { steeringText } from '../../reading/steering.ts';
import { signs, type Palette } from './palette.ts';
import { placeText } from './progress.ts';
import { clean, cleanLines, shellWord, wrap, wrapLines } from './text.ts';

export interface BlockStyle {
  readonly palette: Palette;
  readonly columns: number;
  /** The name of the run in commands. */
  readonly run: string;
}

const INDENT = '    ';
const MAX_GRADES = 6;
const MAX_EVIDENCE = 3;
const MAX_NOTES = 3;
const ANSWER_LINES = 6;
const TEXT_LINES = 12;

/** A trial that needs attention: its outcome and reasons, the answer, and the command that shows more. */
export function trialBlock(row: Row, style: BlockStyle): readonly string[] {
  const { palette } = style;
  const paint = palette.status[row.status];
  const name = palette.strong(clean(caseText(row), 120));
  return [
    `${paint(`${signs[row.status]} ${row.status}`)}  ${name}  ${palette.faint(placeText(row))}`,
    ...(row.error === undefined ? scoreLines(row, style) : errorLines(row, style)),
    ...gradeLines(row, style),
    ...flagLines(row, style),
    ...(row.notes ?? []).slice(0, MAX_NOTES).flatMap((note) => indentedLines('note: ', note, style)),
    ...answerLines(row, style),
    ...showLines(row, style),
  ];
}

/** A very long key is not printed, because a shortened one would not work. */
function showLines(row: Row, { palette, run }: BlockStyle): readonly string[] {
  const key = shellWord(trialKey(row));
  return key.length > 500
    ? []
    : [`${INDENT}${palette.command(`assay show ${shellWord(run)} --trial ${key}`)}`];
}

function scoreLines(row: Row, style: BlockStyle): readonly string[] {
  const mean = meanText(row);
  if (mean !== undefined) return indented(clean(mean, 1500), style);
  const score = `${INDENT}${neededText(row)}`;
  if (row.status === 'unexpected-passed') {
    return [score, `${INDENT}It is marked as expected to fail and passed: remove the mark.`];
  }
  const enough = row.score !== null && row.score >= row.threshold;
  return [
    enough && row.fallenGates.length > 0
      ? `${score}; but a required grader failed, so the trial fails`
      : score,
  ];
}

function errorLines(row: Row, style: BlockStyle): readonly string[] {
  if (row.error === undefined) return [];
  const { kind, stage, message, hint } = row.error;
  const tries = row.attempts.length > 1 ? ` after ${row.attempts.length} attempts` : '';
  return [
    ...indentedLines(`Not measured: ${kind} (${stage})${tries}: `, message, style),
    ...(hint === undefined ? [] : indented(`What to do: ${clean(hint, 400)}`, style)),
  ];
}

function gradeLines(row: Row, style: BlockStyle): readonly string[] {
  const grades = unmetGrades(row);
  const lines = grades.slice(0, MAX_GRADES).flatMap((grade) => gradeLine(row, grade, style));
  const more = grades.length - MAX_GRADES;
  return more > 0 ? [...lines, `${INDENT}and ${more} more failed expectations`] : lines;
}

function flagLines(row: Row, style: BlockStyle): readonly string[] {
  const text = steeringText(row);
  return text === undefined ? [] : indented(`flag: ${clean(text, 400)}`, style);
}

function gradeLine(row: Row, grade: Grade, style: BlockStyle): readonly string[] {
  const word = gradeWord(row, grade);
  const paint = style.palette.status[word === 'not decided' ? 'errored' : 'failed'];
  const scale = scaleOf(row);
  const needs = grade.required ?? grade.threshold;
  const score =
    grade.score === null
      ? ''
      : ` scored ${scoreText(grade.score, scale)}${needs === undefined ? '' : `, needs ${scoreText(needs, scale)}`}`;
  const head = `${word}: ${clean(grade.name, 80)}${score}. `;
  const [first = '', ...rest] = indentedLines(head, grade.reason, style);
  const missed = (grade.evidence ?? []).filter((each) => !each.passed);
  return [
    first.replace(word, paint(word)),
    ...rest,
    ...missed
      .slice(0, MAX_EVIDENCE)
      .flatMap((each) => indented(`- ${clean(each.text, 300)}${turnsText(each)}`, style))
      .map((line) => `  ${line}`),
  ];
}

function answerLines(row: Row, style: BlockStyle): readonly string[] {
  const head = row.turns > 1 ? 'last answer |' : 'answer |';
  const lines = cleanLines(answerText(row.output), ANSWER_LINES, style.columns - 14).filter(
    (line) => line !== '',
  );
  return lines.map(
    (line, index) =>
      `${INDENT}${style.palette.faint(index === 0 ? head : `${' '.repeat(head.length - 1)}|`)} ${line}`,
  );
}

function indentedLines(head: string, text: string, { columns }: BlockStyle): readonly string[] {
  const room = Math.max(30, columns - INDENT.length - 2);
  const lines = wrapLines(head, text, { columns: room, lines: TEXT_LINES, length: 400 });
  return lines.map((line, index) => (index === 0 ? INDENT + line : `${INDENT}  ${line}`));
}

function indented(text: string, { columns }: BlockStyle): readonly string[] {
  return wrap(text, Math.max(30, columns - INDENT.length - 2)).map((line, index) =>
    index === 0 ? INDENT + line : `${INDENT}  ${line}`,
  );
}
