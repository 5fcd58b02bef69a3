import type { Evidence, Grade } from '../../core/grade.ts';
import type { Row } from '../../core/run.ts';
import type { Transcript } from '../../core/transcript.ts';
import { trialKey } from '../../core/trial.ts';
import type { Status } from '../../core/verdict.ts';
import { statusWords, trialPlaceText } from '../../reading/trial-words.ts';
import { cachedText } from '../../reading/cached.ts';
import { endText, rowSpendingText, unenforcedText } from '../../reading/conversation-words.ts';
import { plural } from '../../lib/text/plural.ts';
import {
  caseText,
  answerText,
  durationText,
  gradeWord,
  needsAttention,
  rowCosts,
  costsText,
  isTold,
  meanText,
  scaleOf,
  scoredText,
  scoreText,
  skippedText,
  whyText,
} from '../../reading/phrases.ts';
import { isUnjudged, UNJUDGED } from '../../reading/outcomes.ts';
import { steeringText } from '../../reading/steering.ts';
import { cutText, markup, nothing, type Markup } from './markup.ts';
import { transcriptSection } from './transcript.ts';

const MAX_GRADES = 50;
const MAX_REASON = 2000;

/** One trial as a collapsible section: the outcome in its summary line, all details below. */
export function trialSection(row: Row, transcript: Transcript | undefined): Markup {
  const reason = needsAttention(row) ? whyText(row) : (skipReason(row) ?? steeringText(row));
  const why = reason === undefined ? nothing : markup`<span class="why">${cutText(reason, 300)}</span>`;
  const said =
    transcript === undefined || transcript.length === 0 ? answerSection(row) : transcriptSection(transcript);
  return markup`<details class="trial">
<summary><span class="word ${look[row.status]}">${statusWords[row.status]}${isUnjudged(row) ? `, ${UNJUDGED}` : ''}</span><span><span class="case">${cutText(caseText(row), 300)}</span>
<span class="place">${cutText(trialPlaceText(row), 300)}</span></span><span class="side num">${sideText(row)}</span>${why}</summary>
<div class="body">
${problemSection(row)}${gradesSection(row)}${said}${keySection(row)}</div>
</details>
`;
}

function skipReason(row: Row): string | undefined {
  return row.verdict === 'skipped' && row.notes !== undefined ? skippedText(row) : undefined;
}

const look: Readonly<Record<Status, string>> = {
  passed: 'is-passed',
  'expected-failed': 'is-passed',
  failed: 'is-failed',
  'unexpected-passed': 'is-failed',
  errored: 'is-errored',
  skipped: 'is-skipped',
  cancelled: 'is-skipped',
};

function sideText(row: Row): string {
  const cost = costsText(rowCosts(row));
  const parts = [
    ...(row.score === null ? [] : [scoredText(row)]),
    ...(row.skipped === undefined ? [durationText(row.durationMs)] : [row.skipped]),
    ...(cost === undefined ? [] : [cost === 'unknown' ? 'cost unknown' : cost]),
    ...(row.cached === undefined ? [] : ['cached']),
  ];
  return parts.join(' · ');
}

function problemSection(row: Row): Markup {
  const tries = row.attempts.flatMap(({ error, durationMs }, index) =>
    row.attempts.length < 2
      ? []
      : [
          markup`<p class="note">Attempt ${index + 1}: ${error === undefined ? 'ended' : `${error.kind} (${error.stage}): ${error.message.slice(0, 500)}`}, ${durationText(durationMs)}</p>`,
        ],
  );
  if (row.error === undefined) return tries.length === 0 ? nothing : markup`${tries}`;
  const { stage, kind, message, hint } = row.error;
  const todo = hint === undefined ? nothing : markup`<p>What to do: ${cutText(hint, MAX_REASON)}</p>`;
  return markup`<div class="problem"><p><b>Not measured</b>: ${kind} (${stage})</p><p class="text">${cutText(message, MAX_REASON)}</p>${todo}</div>${tries}`;
}

function gradesSection(row: Row): Markup {
  if (row.grades.length === 0) return nothing;
  const needs =
    row.score === null ? '' : `: ${scoredText(row)}, needs ${scoreText(row.threshold, scaleOf(row))}`;
  const more = row.grades.length - MAX_GRADES;
  const rest = more > 0 ? markup`<p class="note">and ${more} more</p>` : nothing;
  const mean = meanText(row);
  const made = mean === undefined ? nothing : markup`<p class="note">${cutText(mean, MAX_REASON)}</p>\n`;
  return markup`<h3>Expectations${needs}</h3>
${made}<ul class="grades">
${row.grades.slice(0, MAX_GRADES).map((grade) => gradeItem(row, grade))}</ul>${rest}
`;
}

const gradeLook = {
  passed: 'is-passed',
  failed: 'is-failed',
  'failed (required)': 'is-failed',
  'not decided': 'is-errored',
} as const;

function gradeItem(row: Row, grade: Grade): Markup {
  const word = gradeWord(row, grade);
  const needs = grade.required ?? grade.threshold;
  const scale = scaleOf(row);
  const score = grade.score === null ? '' : scoreText(grade.score, scale);
  const scored =
    needs === undefined || grade.score === null ? score : `${score}, needs ${scoreText(needs, scale)}`;
  const evidence = (grade.evidence ?? []).slice(0, MAX_GRADES);
  const list =
    evidence.length === 0 ? nothing : markup`<ul class="evidence">${evidence.map(evidenceItem)}</ul>`;
  const members = (grade.members ?? []).slice(0, MAX_GRADES).map((member) => gradeItem(row, member));
  const inner = members.length === 0 ? nothing : markup`<ul class="grades">${members}</ul>`;
  return markup`<li><span class="word ${gradeLook[word]}">${word}</span><span><b>${cutText(grade.name, 200)}</b> <span class="soft">${grade.type}</span></span><span class="side num">${scored}</span><p class="reason">${isTold(row, grade) ? 'The error above says why.' : cutText(grade.reason, MAX_REASON)}</p>${list}${inner}</li>
`;
}

function evidenceItem({ text, passed, turns }: Evidence): Markup {
  const where = turns === undefined || turns.length === 0 ? '' : ` (turn ${turns.join(', ')})`;
  return markup`<li class="${passed ? 'met' : 'unmet'}">${passed ? 'Holds' : 'Does not hold'}: ${cutText(text, MAX_REASON)}${where}</li>`;
}

function answerSection(row: Row): Markup {
  const answer = answerText(row.output);
  return answer === '' ? nothing : markup`<h3>Answer</h3>\n<pre>${cutText(answer, MAX_REASON)}</pre>`;
}

function keySection(row: Row): Markup {
  const end = row.turns > 1 || row.limit !== undefined ? endText(row) : undefined;
  const spending = rowSpendingText(row);
  const steering = steeringText(row);
  const cached = cachedText(row);
  const unenforced = unenforcedText(row);
  const facts = [
    ...(cached === undefined ? [] : [cached]),
    ...(end === undefined ? [] : [`${plural(row.turns, 'turn')} of the agent, ${end}`]),
    ...(unenforced === undefined ? [] : [unenforced]),
    ...(row.flags === undefined ? [] : [`Doubtful user: ${row.flags.join(', ')}`]),
    ...(steering === undefined ? [] : [steering]),
    ...(spending === undefined ? [] : [spending]),
    ...(row.tags.length === 0 ? [] : [`Tags: ${row.tags.join(', ')}`]),
    ...(row.failureClass === undefined ? [] : [`Class: ${row.failureClass.label ?? row.failureClass.id}`]),
    ...(row.artifactDir === undefined ? [] : [`Files: ${row.artifactDir}`]),
    ...(row.workspacePath === undefined ? [] : [`Workspace: ${row.workspacePath}`]),
    ...(row.notes ?? []),
  ];
  const lines = facts.map((fact) => markup`${cutText(fact, 500)}<br>`);
  return markup`<p class="key">${lines}<code>${cutText(trialKey(row), 500)}</code></p>\n`;
}
