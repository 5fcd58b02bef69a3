import * as z from 'zod';

import { given } from '../lib/given.ts';
import { AssayError } from './errors.ts';
import type { Manifest } from './manifest.ts';
import { FORMAT_VERSION, type Frozen, type RunEvent } from './run.ts';
import { runLine, runTags } from './run-names.ts';
import type { RunSpec } from './run-spec.ts';
import { trialKey } from './trial.ts';

/** Larger files are not uploaded. */
export const MOST_UPLOADED_BYTES = 64 << 20;

/**
 * One line of an upload. The order is: the run, its spec, all of its events, frozen copies, artifacts, the end. An
 * upload without an end was cut off.
 */
export type UploadLine =
  | {
      readonly type: 'run';
      readonly manifest: Manifest;
      readonly line?: string | undefined;
      readonly tags?: readonly string[] | undefined;
    }
  | { readonly type: 'spec'; readonly spec: Omit<RunSpec, 'digests'> }
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'frozen'; readonly frozen: Frozen }
  | UploadedArtifact
  | { readonly type: 'end' };

/** A file that an attempt left; its bytes follow. */
export interface UploadedArtifact {
  readonly type: 'artifact';
  /** Key of the trial. */
  readonly trial: string;
  readonly attempt: number;
  readonly name: string;
  readonly sha256: string;
}

/** What an upload came to. */
export interface TakenUpload {
  readonly run: string;
  /** Whether the store did not have the run. */
  readonly isNew: boolean;
  readonly newEvents: number;
  /** sha-256 of texts and files whose bytes the store does not have yet. */
  readonly missing: readonly string[];
}

/** Takes over runs from run directories. */
export interface UploadStore {
  /**
   * Stores what is new of a run. An upload that is cut off can be repeated. Throws `run-differs` if the store has
   * another run or another log under this id, and `upload-invalid`.
   */
  take(lines: AsyncIterable<UploadLine>, accountId?: string): Promise<TakenUpload>;
  /** Stores bytes that an uploaded run names; `content` begins them anew. Throws `bytes-not-awaited` and `bytes-differ`. */
  keep(sha256: string, content: () => AsyncIterable<Uint8Array>): Promise<void>;
}

/** Reads a line of an upload, parsed as JSON. `place`: of the line, for people. Throws `upload-invalid` and `run-newer`. */
export function readUploadLine(value: unknown, place: string): UploadLine {
  refuseNewer(value);
  const read = uploadLine.safeParse(value);
  if (read.success) {
    // All else is kept as it was written.
    return (read.data.type === 'run' ? { ...(value as object), ...namesIn(read.data) } : value) as UploadLine;
  }
  const [issue] = read.error.issues;
  throw invalidUpload(`${place}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}

function namesIn({ line, tags }: { readonly line?: unknown; readonly tags?: unknown }) {
  return given({ line, tags });
}

export function invalidUpload(what: string): AssayError {
  return new AssayError('upload-invalid', `the upload is not valid: ${what}`, {
    stage: 'log',
    hint: 'upload a run directory with `assay upload RUN`; if the directory was edited, restore it',
  });
}

/** The error of an upload without its end. What the store has of it is continued by the next one. */
export function cutOffUpload(): AssayError {
  return new AssayError('upload-invalid', 'the upload was cut off before its end', {
    stage: 'log',
    hint: 'upload the run again; only the rest is sent',
  });
}

/** The error of a run that was uploaded and is to go on: its project is on another machine. */
export function runNotHere(run: string): AssayError {
  return new AssayError('run-not-here', `the run ${run} was uploaded, so it cannot be continued here`, {
    stage: 'plan',
    hint: 'resume or grade its run directory where it was started, then upload it again',
  });
}

function refuseNewer(value: unknown): void {
  const head = z.object({ manifest: z.object({ formatVersion: z.number() }) }).safeParse(value);
  if (!head.success || head.data.manifest.formatVersion <= FORMAT_VERSION) return;
  throw new AssayError('run-newer', 'the run was written by a newer version of assay', {
    stage: 'log',
    hint: 'update assay on the machine of the server',
  });
}

const count = z.number().int().min(0).max(2_147_483_647);
const text = z.string();
const time = z.iso.datetime({ offset: true });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a sha-256');
const attached = z.looseObject({ attachment: sha256 });

const manifest = z.looseObject({
  formatVersion: z.number(),
  kind: z.enum(['run', 'grade']),
  // It is a part of paths.
  id: z.string().regex(/^\d{8}T\d{6}Z-[0-9a-z]{6}$/, 'expected the id of a run'),
  sourceRunId: text.optional(),
  startedAt: time,
  endedAt: time.optional(),
  state: z.enum(['running', 'completed', 'interrupted', 'stopped']),
  command: z.array(text),
  projectRoot: text,
  cwd: text,
  settings: z.looseObject({}),
  suites: z.array(z.looseObject({ id: text, file: text })),
  targets: z.array(z.looseObject({ name: text, digest: count })),
  trials: count,
  seed: z.number(),
  digests: z.array(text),
});

const grade = z.looseObject({
  name: text,
  type: text,
  score: z.number().nullable(),
  passed: z.boolean(),
  required: z.number().optional(),
  weight: z.number(),
  failureCode: text.optional(),
  digest: count.optional(),
});

/** What lists and filters use of it. */
const row = z.looseObject({
  number: count.min(1),
  suite: text,
  caseId: text,
  target: text,
  repetition: count.min(1),
  attempts: z.array(z.looseObject({ durationMs: z.number() })),
  verdict: z.enum(['passed', 'failed', 'errored', 'skipped', 'cancelled']),
  status: text,
  passed: z.boolean(),
  score: z.number().nullable(),
  threshold: z.number(),
  fallenGates: z.array(text),
  failureClass: z.looseObject({ id: text }).optional(),
  error: z.looseObject({ stage: text, kind: text, message: text }).optional(),
  skipped: text.optional(),
  end: z.looseObject({ by: text }).optional(),
  limit: z.looseObject({ kind: text }).optional(),
  flags: z.array(text).optional(),
  grades: z.array(grade),
  output: z.union([text, z.null(), attached]),
  durationMs: z.number(),
  turns: count,
  steps: count,
  usage: z.looseObject({}),
  costUsd: z.looseObject({}),
  tags: z.array(text),
  difficulty: text.optional(),
  digests: z.looseObject({ case: count, target: count }),
  startedAt: text,
  endedAt: text,
});

const money = z.looseObject({
  spentUsd: z.number(),
  reservedUsd: z.number(),
  setAsideUsd: z.number().optional(),
});

/** Facts that nothing is computed from are only known by their type. */
const fact = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('trial-end'), row }),
  z.looseObject({
    type: z.literal('transcript-entry'),
    entry: z.looseObject({ attachment: sha256.optional() }),
  }),
  z.looseObject({ type: z.literal('trial-start'), number: count.min(1).optional() }),
  z.looseObject({ type: z.literal('run-resume'), dropped: z.array(text).optional() }),
  z.looseObject({ type: z.literal('run-state'), money: money.optional() }),
  z.looseObject({ type: z.literal('note'), text }),
  z.looseObject({
    type: z.enum([
      'run-start',
      'attempt-start',
      'model-usage',
      'grade',
      'attempt-end',
      'sink-error',
      'run-end',
    ]),
  }),
]);

const event = z
  .looseObject({
    sequence: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    at: text,
    trial: text.optional(),
    attempt: count.min(1).optional(),
    fact,
  })
  .refine(({ trial, fact: told }) => told.type !== 'trial-end' || trial === trialKey(told.row), {
    path: ['trial'],
    message: 'is not the key of its row',
  });

/** What the trials of a plan are made of. */
const spec = z.looseObject({
  formatVersion: z.number(),
  suites: z.array(z.looseObject({ id: text })),
  kinds: z.array(z.looseObject({ suite: count, targets: z.array(text), repeat: count })),
  cases: z.looseObject({ id: z.array(text), kind: z.array(count) }),
  targets: z.array(
    z.looseObject({
      name: text,
      agent: z.looseObject({ id: z.guid(), version: count }).optional(),
    }),
  ),
});

const uploadLine = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('run'),
    manifest,
    line: runLine.optional(),
    tags: runTags.optional(),
  }),
  z.strictObject({ type: z.literal('spec'), spec }),
  z.strictObject({ type: z.literal('event'), event }),
  z.strictObject({
    type: z.literal('frozen'),
    frozen: z.looseObject({ digest: text.min(1), kind: text, body: z.json() }),
  }),
  z.strictObject({
    type: z.literal('artifact'),
    trial: text,
    attempt: count.min(1),
    name: text.min(1),
    sha256,
  }),
  z.strictObject({ type: z.literal('end') }),
]);
