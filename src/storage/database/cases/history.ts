import type { CaseHistory, TrialOfCase } from '../../../core/case-history.ts';
import type { Database, SqlRow } from '../database.ts';

/** The trials of stored cases in the runs of a database. */
export function databaseHistory({ query }: Pick<Database, 'query'>): CaseHistory {
  return {
    async trials(caseId, { limit, after }) {
      const behind = after === undefined ? '' : 'and (run_id, number) < ($3, $4)';
      const rows = await query<TrialRow>(
        `select ${COLUMNS} from trial where test_case_id = $1::uuid ${behind}
         order by run_id desc, number desc limit $2`,
        [caseId, limit, ...(after === undefined ? [] : [after.runId, after.number])],
      );
      return rows.map(trialOf);
    },
    async last(caseIds, most) {
      const rows = await query<TrialRow & { readonly asked_id: string }>(
        `select asked.id as asked_id, last.* from unnest($1::text[]::uuid[]) as asked (id), lateral (
           select ${COLUMNS} from trial where test_case_id = asked.id and verdict is not null
           order by run_id desc, number desc limit $2::int
         ) as last order by asked.id, last.run_id desc, last.number desc`,
        [caseIds, most],
      );
      const found = new Map<string, TrialOfCase[]>();
      for (const row of rows) found.set(row.asked_id, [...(found.get(row.asked_id) ?? []), trialOf(row)]);
      return found;
    },
  };
}

const COLUMNS =
  'run_id, number, key, target, agent_version, repetition, verdict, status, score, started_at, ended_at';

interface TrialRow extends SqlRow {
  readonly run_id: string;
  readonly number: number;
  readonly key: string;
  readonly target: string;
  readonly agent_version: number | null;
  readonly repetition: number;
  readonly verdict: TrialOfCase['verdict'] | null;
  readonly status: string | null;
  readonly score: number | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

function trialOf({ number, key, target, repetition, ...row }: TrialRow): TrialOfCase {
  return {
    runId: row.run_id,
    number,
    key,
    target,
    repetition,
    ...(row.agent_version === null ? {} : { agentVersion: row.agent_version }),
    ...(row.verdict == null ? {} : { verdict: row.verdict }),
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.score === null ? {} : { score: row.score }),
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
}
