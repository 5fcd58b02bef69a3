import { AssayError } from '../../../core/errors.ts';
import type { Manifest } from '../../../core/manifest.ts';
import { FORMAT_VERSION, type RunState } from '../../../core/run.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { ManifestHead, ToldAtEnd } from '../../../core/run-store.ts';
import { readable } from '../../../core/readable.ts';
import type { Redaction } from '../../runs/redaction.ts';
import { redactManifest } from '../../runs/redact-manifest.ts';
import type { Queries, SqlRow } from '../database.ts';
import { plainText } from '../plain-text.ts';
import type { RunPlace } from './run-room.ts';

/** The columns that a manifest fills, without secrets. */
export function manifestColumns(manifest: Manifest, redaction: Pick<Redaction, 'text'>) {
  const { digests, ...head } = redactManifest(manifest, redaction);
  return {
    kind: head.kind,
    state: head.state,
    source: head.sourceRunId ?? null,
    manifest: JSON.stringify(head),
    digests: digests.map(plainText),
    startedAt: head.startedAt,
    endedAt: head.endedAt ?? null,
  };
}

/** Saves a manifest under a lease; `costs`: what the end told, null: it has not told it. */
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
    `update run set state = $3, manifest = $4::text::json, digests = $5::text[], started_at = $6::text::timestamptz,
       ended_at = $7::text::timestamptz, costs = $8::text::json
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

/** Now: a run that has no end and that nobody writes is interrupted. */
export async function readState(place: RunPlace): Promise<RunState> {
  const { state, is_written: isWritten } = await runRow<{ state: RunState; is_written: boolean }>(
    place,
    'state, coalesce(lease_until >= clock_timestamp(), false) as is_written',
  );
  return state === 'running' && !isWritten ? 'interrupted' : state;
}

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
  const { last_sequence: sequence, updated_at: at } = await runRow<{
    last_sequence: number;
    updated_at: string;
  }>(place, 'last_sequence, updated_at');
  return `${sequence} ${at}`;
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

function headIn({ id }: RunPlace, text: string): ManifestHead {
  const head = JSON.parse(text) as ManifestHead;
  if (head.formatVersion <= FORMAT_VERSION) return head;
  throw new AssayError('run-newer', `the run ${id} was written by a newer version of assay`, {
    stage: 'log',
    hint: 'update assay',
  });
}
