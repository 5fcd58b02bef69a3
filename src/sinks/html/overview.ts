import type { ManifestHead } from '../../core/run-store.ts';
import type { ScoreScale } from '../../core/test-case.ts';
import type { RunView, TargetView } from '../../reading/run-view.ts';
import { meanOf, passRate, type PassRate } from '../../reading/totals.ts';
import { cachedCountText } from '../../reading/cached.ts';
import { caseRateTexts } from '../../reading/case-rate-texts.ts';
import { conditionsOf, conditionsTitle, type Condition } from '../../reading/conditions.ts';
import { doubtText, spendingText } from '../../reading/conversation-words.ts';
import {
  outcomeCount,
  outcomesOf,
  outcomesText,
  outcomeText,
  rateNote,
  UNJUDGED,
  unjudgedNote,
  type Outcome,
} from '../../reading/outcomes.ts';
import { plural } from '../../lib/text/plural.ts';
import {
  boundsText,
  breakdownText,
  costText,
  durationText,
  intervalText,
  latencyText,
  moreNotesText,
  percentText,
  scaleOfRun,
  scoreText,
  shareText,
} from '../../reading/phrases.ts';
import { shownRate, shownScore } from '../../reading/shown-rate.ts';
import { steeredText } from '../../reading/steering.ts';
import { REPETITIONS_NOTE, type Summary } from '../../reading/summary.ts';
import { graderText, type GraderTotals } from '../../reading/grader-totals.ts';
import { derivedText, type DerivedTotals } from '../../reading/derived-totals.ts';
import { cutText, markup, nothing, type Markup } from './markup.ts';

/** The results of the whole run, above the single trials. */
export function overview(summary: Summary): Markup {
  const { manifest, view, repeated } = summary;
  const repetitions = repeated ? markup`<p class="note">${REPETITIONS_NOTE}</p>` : nothing;
  return markup`<header>
<h1>${headline(view)}</h1>
<p class="soft">${suitesText(manifest)}</p>
${stateAlert(manifest, view)}<dl class="facts">${facts(summary)}</dl>
</header>
<main>
${conditionSection(manifest, view)}<h2>Targets</h2>
<div class="targets">
${view.targets.map((target) => targetCard(target, summary))}</div>
${repetitions}${graderSection(summary)}${warnings(view, summary)}`;
}

const MOST_GRADERS = 100;

/** How often each grader passed, for each target. */
function graderSection({ graders, derived, manifest }: Summary): Markup {
  if (graders.length === 0) return nothing;
  const names = manifest.targets.map(({ name }) => name);
  const scale = scaleOfRun(manifest);
  const more = graders.length - MOST_GRADERS;
  const note = more > 0 ? markup`<p class="note">and ${more} more, in results.json</p>\n` : nothing;
  return markup`<h2>Graders</h2>
<div class="scroll"><table class="graders"><thead><tr><th scope="col">grader</th>${names.map((name) => markup`<th scope="col">${cutText(name, 100)}</th>`)}</tr></thead>
<tbody>${graders.slice(0, MOST_GRADERS).map((each) => graderRow(each, names, scale))}${derived.slice(0, MOST_GRADERS).map(derivedRow)}</tbody></table></div>
${note}`;
}

function graderRow({ name, targets }: GraderTotals, names: readonly string[], scale: ScoreScale): Markup {
  const cells = names.map((target) => {
    const total = targets.find((each) => each.target === target);
    return markup`<td class="num">${total === undefined ? '-' : graderText(total, scale)}</td>`;
  });
  return markup`<tr><th scope="row">${cutText(name, 200)}</th>${cells}</tr>
`;
}

/** The value of a formula, for each target. */
function derivedRow({ name, formula, targets }: DerivedTotals): Markup {
  const cells = targets.map(({ value }) => markup`<td class="num">${derivedText(value)}</td>`);
  return markup`<tr><th scope="row">${cutText(name, 200)} <span class="soft">= ${cutText(formula, 200)}</span></th>${cells}</tr>
`;
}

/** Warnings about the whole run, and about judges that may be steered. */
function warnings({ notes }: RunView, { steered }: Summary): Markup {
  const more = notes === undefined ? undefined : moreNotesText(notes);
  const texts = [...(notes?.first ?? []), more, steeredText(steered)];
  const lines = texts.filter((text) => text !== undefined);
  if (lines.length === 0) return nothing;
  return markup`<h2>Warnings</h2>
<ul class="conditions">
${lines.map((line) => markup`<li>${cutText(line, 500)}</li>\n`)}</ul>
`;
}

function headline({ total, ended }: RunView): string {
  if (ended === 0) return 'No trial has an outcome';
  const outcomes = total.byStatus.passed === ended ? `All ${ended} passed` : outcomesText(total);
  return unjudgedNote(total) === undefined ? outcomes : `${outcomes}, ${UNJUDGED}`;
}

function suitesText({ suites }: ManifestHead): string {
  const shown = suites.slice(0, 5).map(({ name, id }) => (name === id ? id : `${name} (${id})`));
  const more = suites.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more suites`] : [])].join(', ').slice(0, 1000);
}

function conditionSection(manifest: ManifestHead, view: RunView): Markup {
  const conditions = conditionsOf(manifest, view.ended);
  if (conditions.length === 0) return nothing;
  return markup`<h2>${conditionsTitle(conditions)}</h2>
<ul class="conditions">
${conditions.map(conditionItem)}</ul>
`;
}

function conditionItem({ name, came, says }: Condition): Markup {
  const look = came === 'holds' ? 'is-passed' : came === 'failed' ? 'is-failed' : 'is-errored';
  return markup`<li><strong class="${look}">${came}</strong> ${cutText(name, 200)}: ${cutText(says, 500)}</li>\n`;
}

function stateAlert(manifest: ManifestHead, view: RunView): Markup {
  const left = manifest.trials - view.ended;
  if (manifest.state === 'completed' || left <= 0) return nothing;
  const state = manifest.state === 'running' ? 'not finished when this page was created' : manifest.state;
  return markup`<p class="alert">The run was ${state}: ${left} of ${manifest.trials} trials have no outcome yet. <code>assay resume ${manifest.id}</code> runs them.</p>\n`;
}

function facts({ manifest, view, cached }: Summary): readonly Markup[] {
  const elapsed =
    manifest.endedAt === undefined
      ? undefined
      : Date.parse(manifest.endedAt) - Date.parse(manifest.startedAt);
  const { git, versions } = manifest;
  const { byStatus, erroredBy, skippedBy } = view.total;
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ['Run', manifest.id],
    ['Regraded from', manifest.sourceRunId],
    ['Started', `${manifest.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
    ['Took', elapsed === undefined ? undefined : durationText(elapsed)],
    ['Trials', `${view.ended} of ${manifest.trials}`],
    [
      'Errored',
      byStatus.errored === 0 ? undefined : `${breakdownText(erroredBy)} (stage/kind; not measured)`,
    ],
    ['Cached', cachedCountText(cached)],
    ['Skipped', byStatus.skipped === 0 ? undefined : breakdownText(skippedBy)],
    ['Command', `assay ${manifest.command.join(' ')}`],
    [
      'Commit',
      git === undefined ? undefined : `${git.commit.slice(0, 12)}${git.dirty ? ', with local changes' : ''}`,
    ],
    [
      'Versions',
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
  ];
  return pairs.map(([name, value]) =>
    value === undefined ? nothing : markup`<dt>${name}</dt><dd>${cutText(value, 1000)}</dd>\n`,
  );
}

function targetCard(
  target: TargetView,
  { rates, latency, manifest }: Pick<Summary, 'rates' | 'latency' | 'manifest'>,
): Markup {
  const rate = shownRate(target, rates);
  const bounds = boundsText(rate, target.counts.errored);
  const rateSays = rateNote(target);
  const unjudged = unjudgedNote(target);
  const first = passRate(target.firstAttempt);
  const ofCases = rates.get(target.target);
  const notes = [
    ...(bounds === undefined ? [] : [`${bounds}.`]),
    ...(rateSays === undefined ? [] : [`${rateSays}.`]),
    ...(unjudged === undefined ? [] : [`${unjudged}.`]),
    ...[doubtText(target), spendingText(target)].flatMap((text) => (text === undefined ? [] : [`${text}.`])),
    ...(ofCases === undefined ? [] : caseRateTexts(ofCases).map((text) => `${text}.`)),
    ...(target.retried === 0
      ? []
      : [
          `${plural(target.retried, 'trial')} took more than one attempt; first attempts alone: ${shareText(first)} passed, ${target.firstAttempt.errored} errored.`,
        ]),
  ];
  const time = meanOf(target.durationMs);
  return markup`<section class="target">
<div class="target-head"><span class="target-name">${cutText(target.target, 200)}</span>${rateMarkup(rate)}</div>
${bar(target)}
<ul class="counts num">${outcomesOf(target).map(countItem)}</ul>
<ul class="figures num"><li>average score ${scoreText(shownScore(target, rates), scaleOfRun(manifest))}</li><li>average time ${time === null ? '-' : durationText(time)}</li><li>latency p50 / p95 ${latencyText(latency.get(target.target))}</li>${costItem(target)}</ul>
${notes.map((note) => markup`<p class="note">${note}</p>\n`)}</section>
`;
}

function rateMarkup(rate: PassRate): Markup {
  if (rate.measured === 0) return markup`<span class="rate"><small>nothing measured</small></span>`;
  return markup`<span class="rate num">${percentText(rate.value)} <small>${passedText(rate)}, 95 % interval ${intervalText(rate.interval)}</small></span>`;
}

function passedText(rate: PassRate): string {
  return rate.meanOfCases === undefined
    ? `${shareText(rate)} passed`
    : `mean over ${plural(rate.meanOfCases, 'case')}`;
}

/** Omitted if no trial has a known cost. */
function costItem({ costUsd }: TargetView): Markup {
  const { agent } = costUsd;
  return agent.known === 0 ? nothing : markup`<li>agent cost ${costText(agent)}</li>`;
}

function countItem(outcome: Outcome): Markup {
  const { look, count } = outcome;
  const isUnusual = look === 'cancelled' || look === 'expected-failed';
  if (isUnusual && count === 0) return nothing;
  const shown = isUnusual ? 'is-skipped' : `is-${look}`;
  const { detail: _, ...named } = outcome;
  const text = outcomeText(look === 'skipped' ? named : outcome);
  return markup`<li class="${count === 0 ? 'zero' : shown}">${text}</li>`;
}

/** Shares of passed, failed and errored trials. Other outcomes leave a gap. */
function bar(target: TargetView): Markup {
  let x = 0;
  const pieces = (['passed', 'failed', 'errored'] as const).map((verdict) => {
    const width = Number(
      ((1000 * outcomeCount(target, verdict)) / Math.max(1, target.counts.total)).toFixed(2),
    );
    const piece = markup`<rect class="${verdict}" x="${x}" y="0" width="${width}" height="10"/>`;
    x = Number((x + width).toFixed(2));
    return width === 0 ? nothing : piece;
  });
  return markup`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`;
}
