import type { Grade } from '../../../core/grade.ts';
import type { Row } from '../../../core/run.ts';
import { parseTrialKey, type TrialId } from '../../../core/trial.ts';
import { round9 } from '../../../lib/text/decimals.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { plainText, plainTextOf } from '../plain-text.ts';

/** The columns that tell which trial it is. */
export function identityColumns(key: string) {
  return columnsOfTrial(parseTrialKey(key) ?? strange(key));
}

export function columnsOfTrial({ suite, caseId, target, repetition }: TrialId) {
  return {
    suite: plainText(suite),
    case_key: plainText(caseId),
    test_case_id: suite === 'stored' && isUuid(caseId) ? caseId : null,
    target: plainText(target),
    repetition,
  };
}

/** The columns that a row fills; the row itself as its JSON text. */
export function rowColumns(row: Row) {
  const { verdict, status, error, skipped, score, threshold, turns, durationMs } = row;
  return {
    attempts: row.attempts.length,
    verdict,
    status,
    stage: error?.stage ?? null,
    kind: plainTextOf(error?.kind ?? skipped),
    message: plainTextOf(error?.message),
    failure_class: plainTextOf(row.failureClass?.id),
    tags: row.tags.map(plainText),
    difficulty: row.difficulty ?? null,
    score,
    threshold,
    ending: row.end?.by ?? null,
    limit_met: row.limit?.kind ?? null,
    flags: (row.flags ?? []).map(plainText),
    turns,
    duration_ms: durationMs,
    cost_usd: wholeCostUsd(row.costUsd),
    case_name: plainTextOf(row.caseName),
    latency: textOf(row.latency),
    usage: textOf(row.usage),
    cost: textOf(row.costUsd),
    started_at: timeOf(row.startedAt),
    ended_at: timeOf(row.endedAt),
    row: JSON.stringify(row),
  };
}

/** The columns of a grade. `digests`: of its run, by their numbers. */
export function gradeColumns(grade: Grade, digests: readonly string[]) {
  return {
    name: plainText(grade.name),
    type: plainText(grade.type),
    score: grade.score,
    passed: grade.passed,
    required: grade.required ?? null,
    weight: grade.weight,
    failure_code: plainTextOf(grade.failureCode),
    digest: digests[grade.digest ?? -1] ?? null,
    body: JSON.stringify(grade),
  };
}

/** Null: a part is unknown, or nothing was spent. */
function wholeCostUsd({ agent, user, judge }: Row['costUsd']): number | null {
  const parts = [agent, user, judge].filter((part) => part !== undefined);
  if (parts.length === 0 || parts.includes(null)) return null;
  return round9(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0));
}

/** A log may name a trial by an invalid key. */
function strange(key: string): TrialId {
  return { suite: '', caseId: key, target: '', repetition: 1 };
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function timeOf(written: string): string | null {
  const at = new Date(written);
  const text = Number.isNaN(at.getTime()) ? '' : at.toISOString();
  return /^\d{4}-/.test(text) ? text : null;
}
