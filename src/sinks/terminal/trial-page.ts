import type { Grade } from '../../core/grade.ts';
import { textOf } from '../../core/message.ts';
import type { Row } from '../../core/run.ts';
import {
  tokensOf,
  type Transcript,
  type TranscriptEntry,
  type ToolResultEntry,
  type UsageEntry,
} from '../../core/transcript.ts';
import { stripLine } from '../../lib/text/terminal-text.ts';
import { cachedText } from '../../reading/cached.ts';
import { endText, rowSpendingText, unenforcedText } from '../../reading/conversation-words.ts';
import { plural } from '../../lib/text/plural.ts';
import {
  caseText,
  durationText,
  gradeWord,
  isTold,
  meanText,
  neededText,
  scaleOf,
  scoreText,
  skippedText,
  turnsText,
} from '../../reading/phrases.ts';
import { statusText } from '../../reading/outcomes.ts';
import { steeringText } from '../../reading/steering.ts';
import { signs } from './palette.ts';
import { placeText } from './progress.ts';
import { clean, cleanLines, wrap, wrapLines } from './text.ts';
import type { BlockStyle } from './trial-block.ts';

const LINES_PER_ENTRY = 200;

/** All details of one trial: outcome, transcript, every grade with its evidence, and its files. */
export function trialPage(row: Row, transcript: Transcript, style: BlockStyle): readonly string[] {
  const { palette } = style;
  const head = `${signs[row.status]} ${statusText(row)}`;
  return [
    `${palette.status[row.status](head)}  ${palette.strong(clean(caseText(row), 200))}  ${palette.faint(placeText(row))}`,
    `  ${neededText(row)}; ${effortText(row)}`,
    ...meanLines(row, style),
    ...conversationLines(row, style),
    ...(row.error === undefined ? [] : errorLines(row, style)),
    ...row.attempts.flatMap((attempt, index) =>
      attempt.error === undefined || row.attempts.length < 2
        ? []
        : [`  attempt ${index + 1}: ${clean(attempt.error.kind, 40)}: ${clean(attempt.error.message, 400)}`],
    ),
    ...(row.skipped === undefined
      ? (row.notes ?? []).flatMap((note) => indentedLines('note: ', note, { ...style, depth: 2 }))
      : indented(`skipped: ${clean(skippedText(row), 1000)}`, 2, style)),
    '',
    palette.strong('Transcript'),
    ...(transcript.length === 0
      ? ['  the transcript is empty']
      : transcript.flatMap((entry) => entryLines(entry, style))),
    '',
    palette.strong('Grades'),
    ...(row.grades.length === 0 ? ['  none'] : row.grades.flatMap((grade) => gradeLines(row, grade, style))),
    ...placeLines(row),
  ];
}

/** What was said and done in a session, without any grade and without usage. */
export function spokenLines(transcript: Transcript, style: Pick<BlockStyle, 'palette'>): readonly string[] {
  const spoken = transcript.filter(({ type }) => type !== 'usage');
  return spoken.length === 0
    ? ['  the transcript is empty']
    : spoken.flatMap((entry) => entryLines(entry, style));
}

function effortText({ durationMs, turns, steps }: Row): string {
  return `${durationText(durationMs)}, ${plural(turns, 'turn')}, ${plural(steps, 'step')}`;
}

/** How the conversation ended, doubts about its user and judges, and the cost of each role. */
function conversationLines(row: Row, style: BlockStyle): readonly string[] {
  const end = row.turns > 1 || row.limit !== undefined ? endText(row) : undefined;
  const flags =
    row.flags === undefined
      ? undefined
      : `the simulated user may have broken its rules: ${row.flags.join(', ')}`;
  const texts = [
    cachedText(row),
    end,
    unenforcedText(row),
    flags,
    steeringText(row),
    rowSpendingText(row),
  ].filter((text) => text !== undefined);
  return texts.flatMap((text) => indented(clean(text, 400), 2, style));
}

function meanLines(row: Row, style: BlockStyle): readonly string[] {
  const mean = meanText(row);
  return mean === undefined ? [] : indented(clean(mean, 1500), 2, style);
}

function errorLines({ error }: Row, style: BlockStyle): readonly string[] {
  if (error === undefined) return [];
  return [
    ...indentedLines(`not measured: ${clean(`${error.kind} (${error.stage})`, 80)}: `, error.message, {
      ...style,
      depth: 2,
    }),
    ...(error.hint === undefined ? [] : indented(`what to do: ${clean(error.hint, 1000)}`, 2, style)),
  ];
}

function entryLines(entry: TranscriptEntry, { palette }: Pick<BlockStyle, 'palette'>): readonly string[] {
  switch (entry.type) {
    case 'message': {
      const phase = entry.phase === undefined || entry.phase === 'final' ? '' : ` (${entry.phase})`;
      return said(
        palette.faint(`  [${entry.turn}] ${clean(`${entry.role}${phase}`, 40)}`),
        textOf(entry.parts),
      );
    }
    case 'tool-call':
      return said(
        palette.faint(`  [${entry.turn}] calls ${clean(entry.name, 100)}`),
        JSON.stringify(entry.input),
      );
    case 'tool-result': {
      const output = typeof entry.output === 'string' ? entry.output : JSON.stringify(entry.output);
      return said(palette.faint(`  [${entry.turn}] result${howResultCame(entry)}`), output);
    }
    case 'usage':
      return [palette.faint(`  [${entry.turn}] ${spent(entry)}`)];
    default:
      return entry satisfies never;
  }
}

function howResultCame({ failed, fault }: ToolResultEntry): string {
  const words = [
    ...(failed === true ? ['failed'] : []),
    ...(fault === undefined ? [] : [`planned fault: ${fault}`]),
  ];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function spent(entry: UsageEntry): string {
  const tokens = tokensOf(entry);
  if (tokens !== undefined) return `${tokens.inputTokens} tokens in, ${tokens.outputTokens} out`;
  return entry.costUsd === undefined ? 'tokens unknown' : `${entry.costUsd} USD, tokens unknown`;
}

function said(head: string, text: string): readonly string[] {
  const lines = cleanLines(text, LINES_PER_ENTRY, 2000);
  return lines.length === 1 && (lines[0]?.length ?? 0) < 80
    ? [`${head}  ${lines[0] ?? ''}`]
    : [head, ...lines.map((line) => `      ${line}`)];
}

function gradeLines(
  row: Row,
  grade: Grade,
  { depth = 2, ...style }: BlockStyle & { readonly depth?: number },
): readonly string[] {
  const word = gradeWord(row, grade);
  const paint =
    style.palette.status[word === 'passed' ? 'passed' : word === 'not decided' ? 'errored' : 'failed'];
  const scale = scaleOf(row);
  const gate = grade.required === undefined ? '' : `, required: at least ${scoreText(grade.required, scale)}`;
  const score = `score ${scoreText(grade.score, scale)}, weight ${grade.weight}${gate}`;
  const reason = isTold(row, grade) ? 'the error above says why' : grade.reason;
  const head = `${word}  ${clean(grade.name, 200)} (${score}): `;
  const [first = '', ...rest] = indentedLines(head, reason, { ...style, depth });
  return [
    first.replace(word, paint(word)),
    ...rest,
    ...(grade.evidence ?? []).flatMap((each) =>
      indented(`${each.passed ? '+' : '-'} ${clean(each.text, 1000)}${turnsText(each)}`, depth + 4, style),
    ),
    ...(grade.members ?? []).flatMap((member) => gradeLines(row, member, { ...style, depth: depth + 4 })),
  ];
}

function placeLines({ artifactDir, workspacePath }: Row): readonly string[] {
  return [
    ...(artifactDir === undefined ? [] : ['', `files of the trial: ${stripLine(artifactDir)}`]),
    ...(workspacePath === undefined ? [] : ['', `workspace: ${stripLine(workspacePath)}`]),
  ];
}

function indentedLines(
  head: string,
  text: string,
  { depth, columns }: BlockStyle & { readonly depth: number },
): readonly string[] {
  const space = ' '.repeat(depth);
  const room = Math.max(40, columns - depth);
  return wrapLines(head, text, { columns: room, lines: LINES_PER_ENTRY, length: 2000 }).map(
    (line) => space + line,
  );
}

function indented(text: string, depth: number, { columns }: BlockStyle): readonly string[] {
  const space = ' '.repeat(depth);
  return wrap(text, Math.max(40, columns - depth)).map((line) => space + line);
}
