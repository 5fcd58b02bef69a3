import type { CaseHistory, TrialOfCase } from '../../../core/case-history.ts';
import { type Database, withoutNulls } from '../database.ts';

/** The trials of stored cases in the runs of a database. */
export function databaseHistory({ query }: Pick<Database, 'query'>): CaseHistory {
  return {
    async trials(caseId, { limit, after }) {
      const behind = after === undefined ? '' : 'and (run_id, number) < ($3, $4)';
      const rows = await query<TrialOfCase>(
        `select ${COLUMNS} from trial where test_case_id = $1::uuid ${behind}
         order by run_id desc, number desc limit $2`,
        [caseId, limit, ...(after === undefined ? [] : [after.runId, after.number])],
      );
      return rows.map(withoutNulls);
    },
    async last(caseIds, most) {
      const rows = await query<TrialOfCase & { readonly askedId: string }>(
        `select asked.id as "askedId", last.* from unnest($1::text[]::uuid[]) as asked (id), lateral (
           select ${COLUMNS} from trial where test_case_id = asked.id and verdict is not null
           order by run_id desc fetch first ($2::int) rows with ties
         ) as last order by asked.id, last."runId" desc, last.number desc`,
        [caseIds, most],
      );
      const found = new Map<string, TrialOfCase[]>();
      for (const { askedId, ...trial } of rows)
        found.set(askedId, [...(found.get(askedId) ?? []), withoutNulls(trial)]);
      return found;
    },
  };
}

/** As `isLeftOut` of rows. */
const UNJUDGED = `nullif(exists (select from grade where grade.run_id = trial.run_id and trial_number = trial.number
  and grade.score is null and required is null and body->>'outcome' is not null), false) as "isUnjudged"`;

const COLUMNS = `run_id as "runId", number, key, target, agent_version as "agentVersion", repetition, verdict, status,
  score, ${UNJUDGED}, started_at as "startedAt", ended_at as "endedAt"`;
