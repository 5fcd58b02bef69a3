import type {
  Baseline,
  BaselineFilter,
  BaselineSet,
  BaselineStore,
  NewBaseline,
} from '../../../core/baseline-store.ts';
import type { Manifest } from '../../../core/manifest.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Database, Queries } from '../database.ts';
import { plainText, plainTextOf } from '../plain-text.ts';

/** The baselines in a database that has its schema. */
export function databaseBaselines(database: Database): BaselineStore {
  return {
    holding: (filter) => holdingBaselines(database, filter),
    set: (baseline) => database.transaction((queries) => setBaseline(queries, baseline)),
    async clear(id) {
      if (!isUuid(id.toLowerCase())) return undefined;
      await database.query(
        'update baseline set cleared_at = clock_timestamp() where id = $1 and cleared_at is null',
        [id],
      );
      const [kept] = await database.query<Baseline>(`${SELECT} where baseline.id = $1`, [id]);
      return kept;
    },
  };
}

async function holdingBaselines(
  { query }: Queries,
  { target, line, runId }: BaselineFilter,
): Promise<readonly Baseline[]> {
  return await query<Baseline>(
    `${SELECT} where cleared_at is null and ($1::text is null or target = $1) and ($2::text is null or line = $2)
       and ($3::text is null or run_id = $3)
     order by target collate "C", line collate "C"`,
    [target, line, runId].map(plainTextOf),
  );
}

async function setBaseline(
  { query }: Queries,
  { target, line, runId, accountId }: NewBaseline,
): Promise<BaselineSet> {
  const [run] = await query<{ state: string; manifest: string }>(
    'select state, manifest from run where id = $1 for key share',
    [plainText(runId)],
  );
  if (run === undefined) return { outcome: 'unknown-run' };
  const targets = targetsIn(run.manifest);
  if (!targets.includes(target)) return { outcome: 'unknown-target', targets };
  if (run.state !== 'completed') return { outcome: 'not-completed', state: run.state };
  const pair = [plainText(target), plainText(line)] as const;
  // Two at once: the second one clears the first one.
  await query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', pair);
  await query(
    'update baseline set cleared_at = clock_timestamp() where target = $1 and line = $2 and cleared_at is null',
    pair,
  );
  const [made] = await query<{ id: string }>(
    `insert into baseline (target, line, run_id, set_by, set_at) values ($1, $2, $3, $4::uuid, clock_timestamp())
     returning id`,
    [...pair, plainText(runId), accountId ?? null],
  );
  const [baseline] = await query<Baseline>(`${SELECT} where baseline.id = $1`, [made?.id ?? null]);
  if (baseline === undefined) throw new Error('the baseline was not set');
  return { outcome: 'set', baseline };
}

function targetsIn(manifest: string): readonly string[] {
  return (JSON.parse(manifest) as Pick<Manifest, 'targets'>).targets.map(({ name }) => name);
}

const SELECT = `
  select baseline.id, target, line, run_id as "runId", email as "setBy", set_at as "setAt", cleared_at as "clearedAt"
  from baseline left join account on account.id = set_by`;
