import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import { meanOf } from '../reading/totals.ts';
import { caseRateTexts } from '../reading/case-rate-texts.ts';
import { conditionsOf, conditionsTitle } from '../reading/conditions.ts';
import {
  failedTitle,
  outcomeCount,
  outcomesText,
  outcomeTitles,
  rateNote,
  unjudgedNote,
} from '../reading/outcomes.ts';
import { derivedText } from '../reading/derived-totals.ts';
import { fenced, text } from './markdown-text.ts';
import { fileReport } from './output-file.ts';
import { capitalized } from '../lib/text/capitalized.ts';
import { plural } from '../lib/text/plural.ts';
import {
  caseText,
  answerText,
  boundsText,
  breakdownText,
  costText,
  durationText,
  gradeWord,
  intervalText,
  latencyText,
  meanText,
  moreNotesText,
  ratioText,
  scaleOf,
  scaleOfRun,
  scoredText,
  scoreText,
  skippedText,
  unmetGrades,
  whyText,
} from '../reading/phrases.ts';
import { trialPlaceText } from '../reading/trial-words.ts';
import { shownRate, shownScore } from '../reading/shown-rate.ts';
import { cachedCountText } from '../reading/cached.ts';
import { spendingText } from '../reading/conversation-words.ts';
import { steeredText, steeringText } from '../reading/steering.ts';
import { notShown, readSummary, REPETITIONS_NOTE, sameErrorText, type Summary } from '../reading/summary.ts';

/** The results of a run as a page of Markdown, for pull requests and wikis. */
export const markdown = fileReport(
  { type: 'markdown', summary: 'the results as a page of Markdown', defaultFile: 'report.md' },
  async ({ reader }, file) => file.write(markdownPage(await readSummary(reader, 50), 50)),
);

/** Shows at most `limit` trials one by one. Text of agents is escaped: no links, mentions, HTML or headings. */
export function markdownPage(summary: Summary, limit: number): string {
  const { byStatus, skippedBy } = summary.view.total;
  const failed = summary.failed.slice(0, limit);
  const errored = summary.errored.slice(0, limit - failed.length);
  const more = notShown(summary, [...failed, ...errored]);
  const expected = byStatus['expected-failed'];
  return [
    `## ${headline(summary)}`,
    ...stateLines(summary),
    ...conditionLines(summary),
    table(summary).join('\n'),
    ...noteLines(summary),
    ...metricTable(summary),
    ...cachedLines(summary),
    ...steeredLines(summary),
    ...runNoteLines(summary),
    ...(failed.length === 0 ? [] : [`### ${failedTitle(summary.view.total)}`]),
    ...failed.map(trialText),
    ...(byStatus.errored === 0 ? [] : [`### ${plural(byStatus.errored, 'trial')} errored: not measured`]),
    ...errored.flatMap((row) => [trialText(row), ...sameErrorNote(row, summary)]),
    ...(more > 0 ? [`And ${more} more: \`assay show ${summary.manifest.id} --failed\``] : []),
    ...(expected === 0 ? [] : [`${plural(expected, 'trial')} failed as expected.`]),
    ...(byStatus.skipped === 0
      ? []
      : [
          `${plural(byStatus.skipped, 'trial')} skipped: ${breakdownText(skippedBy)}.`,
          skippedList(summary),
        ].filter((part) => part !== '')),
    `Run \`${summary.manifest.id}\`\n`,
  ].join('\n\n');
}

function cachedLines({ cached }: Summary): readonly string[] {
  const words = cachedCountText(cached);
  return words === undefined ? [] : [`${words}.`];
}

function sameErrorNote(row: Row, { sameError }: Summary): readonly string[] {
  const words = sameErrorText(sameError.get(row));
  return words === undefined ? [] : [text(words, 600)];
}

/** The first skipped trials that have a reason. */
function skippedList({ skipped }: Summary): string {
  return skipped
    .filter(({ notes }) => notes !== undefined)
    .slice(0, 20)
    .map((row) => `- ${text(caseText(row), 150)}, ${text(row.target, 100)}: ${text(skippedText(row), 300)}`)
    .join('\n');
}

function headline({ view }: Summary): string {
  return view.ended === 0
    ? 'No trial has an outcome'
    : `${outcomesText(view.total)}: ${plural(view.ended, 'trial')}`;
}

function conditionLines({ manifest, view }: Summary): readonly string[] {
  const conditions = conditionsOf(manifest, view.ended);
  if (conditions.length === 0) return [];
  const lines = conditions.map(
    ({ name, came, says }) => `- **${came}**: ${text(name, 200)}: ${text(says, 500)}`,
  );
  return [`### ${conditionsTitle(conditions)}`, lines.join('\n')];
}

/** Metrics and the formulas over them; nothing without formulas. */
function metricTable({ graders, derived, manifest }: Summary): readonly string[] {
  if (derived.length === 0) return [];
  const names = manifest.targets.map(({ name }) => name);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const metrics = graders.filter(({ kind }) => kind === 'metric');
  const lines = [
    line(['metric', ...names.map((name) => text(name, 100))]),
    line(['---', ...names.map(() => '---:')]),
    ...metrics.map(({ name, targets }) => {
      const meanIn = (target: string) => targets.find((each) => each.target === target)?.mean ?? null;
      return line([text(name, 100), ...names.map((target) => derivedText(meanIn(target)))]);
    }),
    ...derived.map(({ name, formula, targets }) =>
      line([`${text(name, 100)} = ${text(formula, 200)}`, ...targets.map(({ value }) => derivedText(value))]),
    ),
  ];
  return [lines.join('\n')];
}

function stateLines({ manifest, view }: Summary): readonly string[] {
  const left = manifest.trials - view.ended;
  if (manifest.state === 'completed' || left <= 0) return [];
  const state = manifest.state === 'running' ? 'not finished' : manifest.state;
  return [`**The run was ${state}: ${left} of ${manifest.trials} trials have no outcome yet.**`];
}

function table({ view, rates, latency, manifest }: Summary): readonly string[] {
  const titles = outcomeTitles(view.targets);
  const hasCost = view.targets.some(({ costUsd }) => costUsd.agent.known > 0);
  const cost = hasCost ? { title: ' agent cost |', rule: ' --- |' } : { title: '', rule: '' };
  return [
    `| target | ${titles.join(' | ')} | pass rate | 95 % interval | avg score | avg time | latency p50 / p95 |${cost.title}`,
    `| --- |${titles.map(() => ' ---: |').join('')} --- | --- | ---: | ---: | --- |${cost.rule}`,
    ...view.targets.map((target) => {
      const rate = shownRate(target, rates);
      const time = meanOf(target.durationMs);
      const cells = [
        text(target.target, 60),
        ...titles.map((title) => outcomeCount(target, title)),
        rate.measured === 0 ? 'nothing measured' : ratioText(rate),
        intervalText(rate.interval),
        scoreText(shownScore(target, rates), scaleOfRun(manifest)),
        time === null ? '-' : durationText(time),
        latencyText(latency.get(target.target)),
        ...(hasCost ? [costText(target.costUsd.agent)] : []),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}

function noteLines({ view, repeated, rates }: Summary): readonly string[] {
  const bounds = view.targets.flatMap((target) => {
    const ofCases = rates.get(target.target);
    return [
      rateNote(target),
      unjudgedNote(target),
      boundsText(shownRate(target, rates), target.counts.errored),
      spendingText(target),
      ...(ofCases === undefined ? [] : caseRateTexts(ofCases).map((each) => text(each, 1000))),
    ].flatMap((note) => (note === undefined ? [] : [`**${text(target.target, 60)}**: ${note}.`]));
  });
  return repeated ? [...bounds, REPETITIONS_NOTE] : bounds;
}

function steeredLines({ steered }: Summary): readonly string[] {
  const told = steeredText(steered);
  return told === undefined ? [] : [`**Warning**: ${text(told, 500)}.`];
}

/** Warnings about the whole run. */
function runNoteLines({ view: { notes } }: Summary): readonly string[] {
  if (notes === undefined) return [];
  const more = moreNotesText(notes);
  return [
    ...notes.first.map((note) => `**Warning**: ${text(note, 500)}`),
    ...(more === undefined ? [] : [`${more}.`]),
  ];
}

function errorText(row: Row, { kind, stage, message }: NonNullable<Row['error']>): string {
  return message.trim().includes('\n')
    ? `Not measured: ${kind} (${stage}):\n\n${fenced(message)}`
    : `Not measured: ${text(whyText(row), 600)}`;
}

function trialText(row: Row): string {
  const mean = meanText(row);
  const place = trialPlaceText({ ...row, suite: text(row.suite, 100), target: text(row.target, 100) });
  const answer = answerText(row.output);
  const steering = steeringText(row);
  return [
    `#### ${text(caseText(row), 150)}`,
    `In ${place}`,
    row.error === undefined
      ? `${capitalized(scoredText(row))}, needs ${scoreText(row.threshold, scaleOf(row))}.`
      : errorText(row, row.error),
    ...(mean === undefined ? [] : [`Its ${text(mean, 1500)}.`]),
    ...(row.notes ?? []).slice(0, 3).map((note) => `Note: ${text(note, 400)}`),
    ...(steering === undefined ? [] : [`Note: ${text(steering, 400)}`]),
    ...(row.error?.hint === undefined ? [] : [`What to do: ${text(row.error.hint, 400)}`]),
    ...(row.status === 'unexpected-passed'
      ? ['It is marked as expected to fail and passed: remove the mark.']
      : []),
    unmetGrades(row)
      .slice(0, 10)
      .map((grade) => gradeText(row, grade))
      .join('\n'),
    answer === '' ? '' : fenced(answer),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function gradeText(row: Row, grade: Grade): string {
  const needs = grade.required ?? grade.threshold;
  const score = grade.score === null ? '' : ` scored ${scoreText(grade.score, scaleOf(row))}`;
  const need = needs === undefined || grade.score === null ? '' : `, needs ${scoreText(needs, scaleOf(row))}`;
  return `- **${gradeWord(row, grade)}**: ${text(grade.name, 100)}${score}${need}. ${text(grade.reason, 500)}`;
}
