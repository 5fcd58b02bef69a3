import type { TrialResource } from '../api/resources/trial.ts';
import type { Row } from '../core/run.ts';
import { trialKey } from '../core/trial.ts';
import { needsAttention, rowCosts, skippedText, whyText } from '../reading/phrases.ts';
import { usdOf, wholeCost } from '../reading/whole-cost.ts';

/** A trial as lists of the API contain it. */
export function trialResource(row: Row): TrialResource {
  return {
    number: row.number,
    key: trialKey(row),
    suite: row.suite,
    case_id: row.caseId,
    case_name: row.caseName ?? null,
    target: row.target,
    repetition: row.repetition,
    attempts: row.attempts.length,
    verdict: row.verdict,
    status: row.status,
    score: row.score,
    threshold: row.threshold,
    fallen_gates: row.fallenGates,
    failure_class: row.failureClass?.id ?? null,
    stage: row.error?.stage ?? null,
    kind: row.error?.kind ?? row.skipped ?? null,
    message: row.error?.message ?? null,
    reason: reasonOf(row),
    flags: row.flags ?? [],
    tags: row.tags,
    difficulty: row.difficulty ?? null,
    turns: row.turns,
    duration_ms: row.durationMs,
    cost_usd: usdOf(wholeCost(rowCosts(row))),
    cached_from: row.cached?.runId ?? null,
    started_at: row.startedAt,
    ended_at: row.endedAt,
  };
}

/** A trial as a mark in the row of its repetitions. */
export function markOf({
  number,
  repetition,
  verdict,
  status,
  score,
}: Pick<TrialResource, 'number' | 'repetition' | 'verdict' | 'status' | 'score'>) {
  return { number, repetition, verdict, status, score };
}

/** Reasons of judges are whole paragraphs. */
const MOST_CHARACTERS = 300;

function reasonOf(row: Row): string | null {
  const isUndone = row.verdict === 'skipped' || row.verdict === 'cancelled';
  if (!isUndone && !needsAttention(row)) return null;
  const line = (isUndone ? skippedText(row) : whyText(row)).replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(line.slice(0, 2 * MOST_CHARACTERS));
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : line;
}
