import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';

import * as z from 'zod';

import { FORMAT_VERSION } from '../../core/run.ts';
import type { Limits } from '../../core/limits.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import type { Redaction } from '../runs/redaction.ts';
import { keptSpecText } from '../runs/redact-spec.ts';
import { writeText } from '../../lib/files/write-all.ts';
import { guarded } from '../guarded.ts';
import { readManifest } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { readable } from '../../core/readable.ts';

/** Replaces spec.json atomically, without secrets. */
export function writeSpec(
  paths: RunPaths,
  spec: RunSpec,
  redaction: Pick<Redaction, 'text' | 'mayTouch'>,
): void {
  const draft = `${paths.spec}.${process.pid}.tmp`;
  guarded(paths.spec, () => {
    const file = openSync(draft, 'w', 0o600);
    try {
      writeText(file, keptSpecText(spec, redaction));
      writeText(file, '\n');
    } finally {
      closeSync(file);
    }
    renameSync(draft, paths.spec);
  });
}

const numbers = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.every((item) => Number.isInteger(item)),
  'expected whole numbers',
);

const limit = z.number().nullable();

/** The members that resuming needs. Without them, other trials would run or be judged differently. */
const needed = z.object({
  options: z.object({}),
  settings: z.object({
    seed: z.number(),
    concurrency: z.number(),
    threshold: z.number(),
    retryInfrastructure: z.number(),
    maxErrored: z.number(),
    failFast: z.boolean(),
    limits: z.object({
      timeoutMs: limit,
      turnTimeoutMs: limit,
      idleTimeoutMs: limit,
      maxTurns: limit,
      maxSteps: limit,
      maxTokens: limit,
      maxCostUsd: limit,
    } satisfies Record<keyof Limits, typeof limit>),
  }),
  suites: z.array(z.object({ id: z.string(), file: z.string(), cases: z.number() })),
  kinds: z.array(
    z.object({
      suite: z.number(),
      targets: z.array(z.string()),
      repeat: z.number(),
      graderCount: z.int().min(0),
    }),
  ),
  cases: z.object({
    id: z.custom<readonly string[]>(
      (value) => Array.isArray(value) && value.every((id) => typeof id === 'string'),
      'expected texts',
    ),
    at: numbers,
    kind: numbers,
    digest: numbers,
    graders: numbers,
  }),
  targets: z.array(z.object({ name: z.string(), digest: z.number() })),
  judges: z.object({ targets: z.array(z.string()) }),
  replays: z.object({}),
});

/** The run spec, with the digests of the manifest. Undefined if the run has no spec. */
export function readSpec(paths: RunPaths): RunSpec | undefined {
  if (!existsSync(paths.spec)) return undefined;
  const { digests } = readManifest(paths);
  const kept = readable(
    paths.spec,
    () => JSON.parse(readFileSync(paths.spec, 'utf8')) as Partial<RunSpec> | null,
  );
  readable(paths.spec, () => refuseEarlier(kept), EARLIER);
  return readable(paths.spec, () => {
    if (typeof kept?.formatVersion !== 'number' || kept.formatVersion > FORMAT_VERSION) {
      throw new Error('it is not a run spec of this format');
    }
    const fault = faultOf(kept);
    if (fault !== undefined) throw new Error(fault);
    return { ...(kept as RunSpec), digests };
  });
}

const EARLIER = 'the run cannot be resumed; run its cases again with assay run';

/** Kinds of cases once named the digests of their graders. */
const earlier = z.object({ kinds: z.array(z.object({ graders: z.array(z.number()) })).min(1) });

function refuseEarlier(kept: unknown): void {
  if (earlier.safeParse(kept).success) throw new Error('it was stored by an earlier version of assay');
}

function faultOf(kept: Partial<RunSpec>): string | undefined {
  const result = needed.safeParse(kept);
  if (!result.success) {
    const [issue] = result.error.issues;
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`;
  }
  const { cases, kinds, suites, targets } = result.data;
  const names = new Set(targets.map(({ name }) => name));
  const { graders, ...columns } = cases;
  for (const [column, values] of Object.entries(columns)) {
    if (values.length !== cases.id.length) return `cases.${column}: expected ${cases.id.length} values`;
  }
  if (cases.kind.some((kind) => kinds[kind] === undefined)) return 'cases.kind: names a missing kind';
  const graderCount = cases.kind.reduce((sum, kind) => sum + (kinds[kind]?.graderCount ?? 0), 0);
  if (graders.length !== graderCount) return `cases.graders: expected ${graderCount} values`;
  if (kinds.some(({ suite }) => suites[suite] === undefined)) return 'kinds: an entry names a missing suite';
  const lost = kinds.flatMap((kind) => kind.targets).find((name) => !names.has(name));
  return lost === undefined ? undefined : `kinds: target ${lost} is missing in targets`;
}
