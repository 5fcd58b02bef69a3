import type { TestCaseResource, TrialOfCaseResource } from '../api/resources/test-case.ts';
import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import type { TrialOfCase } from '../core/case-history.ts';
import type { KeptCase } from '../core/case-store.ts';
import { SELECTOR_NAMES } from '../core/request-names.ts';
import type { CaseSelector } from '../core/run-options.ts';
import { restored } from '../lib/renamed.ts';

/** What the parameters of a query select. */
export function selectorOf(query: Omit<QueryOf<Table['listTestCases']>, 'limit' | 'cursor'>): CaseSelector {
  return restored(query, SELECTOR_NAMES);
}

/** A case as the API shows it. */
export function caseResource({ id, createdAt, updatedAt, fields }: KeptCase): TestCaseResource {
  return { id, ...fields, created_at: createdAt, updated_at: updatedAt };
}

/** A trial in the history of a case. */
export function trialResource(trial: TrialOfCase): TrialOfCaseResource {
  return {
    run_id: trial.runId,
    number: trial.number,
    key: trial.key,
    target: trial.target,
    agent_version: trial.agentVersion ?? null,
    repetition: trial.repetition,
    verdict: trial.verdict ?? null,
    status: trial.status ?? null,
    score: trial.score ?? null,
    is_unjudged: trial.isUnjudged ?? false,
    started_at: trial.startedAt ?? null,
    ended_at: trial.endedAt ?? null,
  };
}
