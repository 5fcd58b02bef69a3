import { AssayError } from '../../../core/errors.ts';
import type { Manifest } from '../../../core/manifest.ts';
import { FORMAT_VERSION, type RunState } from '../../../core/run.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { ManifestHead, ToldAtEnd } from '../../../core/run-store.ts';
import { readable } from '../../../core/readable.ts';
import type { Redaction } from '../../runs/redaction.ts';
import { redactManifest } from '../../runs/redact-manifest.ts';
import { arrayText } from '../array-text.ts';
import type { Queries, SqlRow } from '../database.ts';
import { plainText } from '../plain-text.ts';
import type { RunPlace } from './run-room.ts';

/** The columns that a manifest fills, without secrets. */
export function manifestColumns(manifest: Manifest, redaction: Pick<Redaction, 'text'>) {
  const { digests: list, ...rest } = manifest;
  const clean = digestList(list);
  const { digests, ...head } = redactManifest(
    { ...rest, digests: clean === undefined ? list : [] },
    redaction,
  );
  return {
    head,
    kind: head.kind,
    state: head.state,
    source: head.sourceRunId ?? null,
    manifest: JSON.stringify(head),
    digests: clean ?? arrayText(digests.map(plainText)),
    suites: head.suites.map(({ id }) => plainText(id)),
    targets: head.targets.map(({ name }) => plainText(name)),
    startedAt: head.startedAt,
    endedAt: head.endedAt ?? null,
  };
}

/** Digests need no quotes. One look at all of them, since a large run has 300,000; undefined: there are other texts. */
function digestList(list: readonly string[]): string | undefined {
  if (!list.every((text) => text.length === 64 && !text.includes(','))) return undefined;
  const joined = list.join(',');
  return /[^0-9a-f,]/.test(joined) ? undefined : `{${joined}}`;
}

/**
 * Saves a manifest under a lease; `costs`: what the end told, null: it has not told it. At the end the lease runs out in
 * the same statement: a process that sees the end of the run can resume it.
 */
export async function saveManifest(
  { query }: Queries,
  columns: ReturnType<typeof manifestColumns>,
  {
    id,
    lease,
    costs,
  }: { readonly id: string; readonly lease: string; readonly costs: ToldAtEnd['costUsd'] | null },
): Promise<boolean> {
  const [saved] = await query(
    `update run set state = $3, manifest = $4::text::json, digests = $5::text::text[], started_at = $6::text::timestamptz,
       ended_at = $7::text::timestamptz, costs = $8::text::json, suites = $9::text[], targets = $10::text[],
       lease_until = case when $8::text is null then lease_until else clock_timestamp() - interval '1 second' end
     where id = $1 and lease_id = $2 returning id`,
    [
      id,
      lease,
      columns.state,
      columns.manifest,
      columns.digests,
      columns.startedAt,
      columns.endedAt,
      costs === null ? null : JSON.stringify(costs),
      columns.suites,
      columns.targets,
    ],
  );
  return saved !== undefined;
}

export async function readHead(place: RunPlace): Promise<ManifestHead> {
  const { manifest } = await runRow<{ manifest: string }>(place, 'manifest');
  return headIn(place, manifest);
}

export async function readManifest(place: RunPlace): Promise<Manifest> {
  const { manifest, digests } = await runRow<{ manifest: string; digests: readonly string[] }>(
    place,
    'manifest, digests',
  );
  return { ...headIn(place, manifest), digests };
}

export async function readState(place: RunPlace): Promise<RunState> {
  const { state } = await runRow<{ state: RunState }>(place, `${STATE_NOW} as state`);
  return state;
}

/** SQL of the state now: a run without an end that no process writes is interrupted. */
export const STATE_NOW = `case when state in ('running', 'stopping')
  and not coalesce(lease_until >= clock_timestamp(), false) then 'interrupted' else state end`;

export async function readSpec(place: RunPlace): Promise<RunSpec | undefined> {
  const { plan, digests } = await runRow<{ plan: string | null; digests: readonly string[] }>(
    place,
    'plan, digests',
  );
  if (plan === null) return undefined;
  return { ...(JSON.parse(plan) as Omit<RunSpec, 'digests'>), digests };
}

export async function readCosts(place: RunPlace): Promise<ToldAtEnd['costUsd'] | undefined> {
  const { costs } = await runRow<{ costs: string | null }>(place, 'costs');
  return costs === null ? undefined : (JSON.parse(costs) as ToldAtEnd['costUsd']);
}

export async function readVersion(place: RunPlace): Promise<string> {
  const { revision } = await runRow<{ revision: number }>(place, 'revision');
  return String(revision);
}

async function runRow<Row extends SqlRow>(place: RunPlace, columns: string): Promise<Row> {
  const [row] = await place.database.query<Row>(`select ${columns} from run where id = $1`, [place.id]);
  return readable(
    `the run ${place.id} in ${place.database.place}`,
    () => {
      if (row === undefined) throw new Error('there is no such run');
      return row;
    },
    'assay runs lists the runs',
  );
}

export function headIn({ id }: Pick<RunPlace, 'id'>, text: string): ManifestHead {
  const head = JSON.parse(text) as ManifestHead;
  if (head.formatVersion <= FORMAT_VERSION) return head;
  throw new AssayError('run-newer', `the run ${id} was written by a newer version of assay`, {
    stage: 'log',
    hint: 'update assay',
  });
}
