import { GRADE_THRESHOLD, type Evidence, type Finding } from '../../core/grade.ts';
import type { Judge } from '../../core/judge.ts';
import { given } from '../../lib/given.ts';
import { round9 } from '../../lib/text/decimals.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ScoreAnswer } from './answer-form.ts';
import type { Check, ChecksAnswer } from './checks-form.ts';
import type { RubricItem } from './rubric-list.ts';
import { median, spreadOf, type Sampled } from './samples.ts';

/** Values about the asking itself. */
export interface Asker {
  readonly judge: Judge;
  readonly promptDigest: string;
}

/** The median score, with the reasons of the nearest answer. */
export function scoreFinding(sampled: Sampled<ScoreAnswer>, asker: Asker): Finding {
  const { answers, failure } = sampled;
  if (failure !== undefined) return failedFinding(sampled, asker);
  const scores = answers.map(({ score }) => score);
  const score = median(scores);
  const nearest = answers.toSorted((a, b) => Math.abs(a.score - score) - Math.abs(b.score - score))[0];
  const evidence = (nearest?.evidence ?? []).map(({ text, passed }): Evidence => ({
    text,
    passed: passed ?? score >= GRADE_THRESHOLD,
  }));
  const injection = answers.some((answer) => answer.injection);
  return {
    score,
    reason: told(nearest?.reasoning ?? '', injection),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...commonOf(sampled, asker, { injection, ...(answers.length > 1 ? { scores } : {}) }),
    ...(answers.length > 1 ? { spread: spreadOf(scores) } : {}),
  };
}

/** The share of satisfied weight, and one more finding for each item that is a gate. */
export function checksFindings(
  sampled: Sampled<ChecksAnswer>,
  items: readonly RubricItem[],
  asker: Asker,
): readonly Finding[] {
  if (sampled.failure !== undefined) return [failedFinding(sampled, asker)];
  const decided = items.map((item) => decidedItem(item, sampled.answers));
  const score = shareOf(decided);
  const overall = sampled.answers.map((answer) => shareOf(items.map((item) => decidedItem(item, [answer]))));
  const injection = sampled.answers.some((answer) => answer.injection);
  const missed = decided.filter(({ met }) => !met).map(({ item, reason }) => `${item.id}: ${reason}`);
  const summary = `${decided.length - missed.length} of ${decided.length} items are met`;
  const spread = sampled.answers.length > 1 ? { spread: spreadOf(overall.map((share) => share ?? 0)) } : {};
  return [
    {
      score,
      reason:
        score === null
          ? 'there is no score: every item has weight 0, and none has `required`'
          : told([summary, ...missed].join('\n'), injection),
      evidence: decided.map(({ item, met, reason }) => ({
        text: `${item.id}: ${item.outcome}${reason === '' ? '' : ` (${reason})`}`,
        passed: met,
      })),
      ...commonOf(sampled, asker, { injection, items: decided.map(itemDetails) }),
      ...spread,
    },
    ...decided.flatMap(gateOf),
  ];
}

interface DecidedItem {
  readonly item: RubricItem;
  readonly score: number;
  readonly met: boolean;
  readonly reason: string;
  readonly leftOut: boolean;
}

/** Majority for yes and no, median for bands; an item that the judge left out counts as not met. */
function decidedItem(item: RubricItem, answers: readonly ChecksAnswer[]): DecidedItem {
  const checks = answers.map(({ checks: all }) => all.find(({ id }) => id === item.id));
  const scores = checks.map((check) => check?.score ?? 0);
  const yes = scores.filter((score) => score === 1).length;
  const score = item.bands === undefined ? Number(yes * 2 > scores.length) : median(scores);
  const least = item.required ?? GRADE_THRESHOLD;
  const leftOut = checks.every((check) => check === undefined);
  return {
    item,
    score,
    met: score >= round9(least),
    leftOut,
    reason: leftOut
      ? 'the judge did not answer this item, so it counts as not met'
      : reasonFor(checks, score),
  };
}

function reasonFor(checks: readonly (Check | undefined)[], score: number): string {
  const supplied = checks.filter((check) => check !== undefined);
  const nearest = supplied.toSorted((a, b) => Math.abs(a.score - score) - Math.abs(b.score - score))[0];
  const missing = checks.length - supplied.length;
  const reason = nearest?.reasoning.trim() ?? '';
  return missing === 0 ? reason : `${reason} (left out in ${missing} of ${checks.length} answers)`.trim();
}

/** Weighted share or, without weights, the share of met gates; null when there are no gates either. */
function shareOf(decided: readonly DecidedItem[]): number | null {
  const weights = decided.reduce((sum, { item }) => sum + item.weight, 0);
  if (weights > 0) {
    return round9(decided.reduce((sum, { item, score }) => sum + score * item.weight, 0) / weights);
  }
  const gates = decided.filter(({ item }) => item.required !== undefined);
  return gates.length === 0 ? null : round9(gates.filter(({ met }) => met).length / gates.length);
}

function gateOf({ item, score, reason }: DecidedItem): readonly Finding[] {
  if (item.required === undefined) return [];
  const why = reason === '' ? item.outcome : `${item.outcome}: ${reason}`;
  return [{ part: item.id, score, required: item.required, weight: 0, reason: why }];
}

function itemDetails({ item, score, leftOut }: DecidedItem): JsonObject {
  return { id: item.id, score, weight: item.weight, ...(leftOut ? { left_out: true } : {}) };
}

/** An error of the grader with its cost and the judge's text; never a score. */
export function failedFinding(sampled: Sampled<unknown>, asker: Asker): Finding {
  const { code, reason, raw } = sampled.failure ?? {
    code: 'judge-invalid',
    reason: 'the judge gave no answer',
  };
  return {
    score: null,
    reason: `could not be decided: ${reason}`,
    failureCode: code,
    ...commonOf(sampled, asker, raw === undefined ? {} : { answer: raw }),
  };
}

/** Values about the asking, for every finding of a judge. */
export function commonOf(sampled: Sampled<unknown>, { judge, promptDigest }: Asker, details: JsonObject) {
  const { spent, notes } = sampled;
  return {
    details: { judge: judge.name, promptDigest, answers: spent.answers, ...details },
    ...given({ model: spent.model, usage: spent.usage, costUsd: spent.costUsd }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

export function told(reason: string, injection: boolean): string {
  return injection ? `${reason}\nthe judge reports a prompt injection in the material` : reason;
}
