import { closeSync, openSync, readFileSync, renameSync } from 'node:fs';

import * as z from 'zod';

import { AssayError } from '../../core/errors.ts';
import { FORMAT_VERSION } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ManifestHead } from '../../core/run-store.ts';
import { writeText } from '../../lib/files/write-all.ts';
import { redactJson } from '../../lib/redact/redact-json.ts';
import { guarded } from '../guarded.ts';
import { DIGEST } from '../runs/place-rules.ts';
import type { Redaction } from '../runs/redaction.ts';
import type { RunPaths } from './paths.ts';
import type { KeptEnd, KeptManifest } from './told-at-end.ts';
import { given } from '../../lib/given.ts';
import { readable } from '../../core/readable.ts';
import { redactManifest } from '../runs/redact-manifest.ts';

/** Replaces run.json atomically, without secrets. */
export function writeManifest(paths: RunPaths, manifest: KeptManifest, redaction: Cleaning): void {
  const draft = `${paths.manifest}.${process.pid}.tmp`;
  guarded(paths.manifest, () => {
    const file = openSync(draft, 'w', 0o600);
    try {
      for (const text of manifestTexts(manifest, redaction)) writeText(file, text);
    } finally {
      closeSync(file);
    }
    renameSync(draft, paths.manifest);
  });
}

/** In pieces: of 100,000 cases the digests are 14 MB. */
function* manifestTexts(manifest: KeptManifest, redaction: Cleaning): Generator<string> {
  const { digests } = manifest;
  const head = cleanText({ ...manifest, digests: [] }, redaction);
  const at = head.indexOf(NO_DIGESTS);
  yield head.slice(0, at);
  for (let start = 0; start < digests.length; start += PIECE) {
    const before = start === 0 ? LIST_START : ',';
    yield before + digestLines(digests.slice(start, start + PIECE), redaction);
  }
  yield `${digests.length === 0 ? NO_DIGESTS : DIGESTS_END}${head.slice(at + NO_DIGESTS.length)}\n`;
}

/** Digests at once. */
const PIECE = 4096;

/** Mostly there is nothing to hide, and then one look at the whole text is enough. */
function cleanText(manifest: KeptManifest, redaction: Cleaning): string {
  const text = JSON.stringify(manifest, undefined, 1);
  return redaction.mayTouch(text) ? JSON.stringify(redactManifest(manifest, redaction), undefined, 1) : text;
}

function digestLines(digests: readonly string[], { text, mayTouch }: Cleaning): string {
  const linesOf = (list: readonly string[]) => list.map((digest) => `\n  ${JSON.stringify(digest)}`).join();
  const lines = linesOf(digests);
  return mayTouch(lines) ? linesOf(redactJson(digests, text, DIGEST)) : lines;
}

type Cleaning = Pick<Redaction, 'text' | 'mayTouch'>;

const version = z.object({ formatVersion: z.number() });

/** The members that every reader of a run needs. */
const needed = z.object({
  kind: z.enum(['run', 'grade']),
  id: z.string(),
  startedAt: z.string(),
  state: z.enum(['running', 'completed', 'interrupted', 'stopped']),
  cwd: z.string(),
  projectRoot: z.string(),
  settings: z.object({}),
  suites: z.array(z.object({ id: z.string(), file: z.string() })),
  targets: z.array(z.object({ name: z.string(), digest: z.number() })),
  trials: z.number(),
  seed: z.number(),
  // Validating 200,000 digests as a list of texts would take as long as everything else.
  digests: z.custom<readonly string[]>(
    (value) => Array.isArray(value) && value.every((digest) => typeof digest === 'string'),
  ),
});

const NAME_ONE = 'use a run directory, a run id or latest; assay runs lists all runs';

export function readManifest(paths: RunPaths): Manifest {
  const text = readable(paths.manifest, () => readFileSync(paths.manifest, 'utf8'), NAME_ONE);
  const { beside: _beside, totals: _totals, ...manifest } = manifestIn(paths, text);
  return manifest;
}

/** The manifest without its digests, which are most of it in a large run. */
export function readManifestHead(paths: RunPaths): ManifestHead {
  return readHeadAndEnd(paths).head;
}

/** The same with the data stored at the end of the run. Without that data for an unfinished run. */
export function readHeadAndEnd(paths: RunPaths): { readonly head: ManifestHead; readonly end: KeptEnd } {
  const { digests: _, beside, totals, ...head } = manifestWithFewDigests(paths);
  return { head, end: head.state === 'running' ? {} : given({ beside, totals }) };
}

function manifestWithFewDigests(paths: RunPaths): KeptManifest {
  const bytes = readable(paths.manifest, () => readFileSync(paths.manifest), NAME_ONE);
  const start = bytes.indexOf(DIGESTS);
  const end = start < 0 ? -1 : bytes.indexOf(DIGESTS_END, start);
  if (end < 0) return manifestIn(paths, bytes.toString('utf8'));
  const before = bytes.toString('utf8', 0, start + DIGESTS.length);
  return manifestIn(paths, before + bytes.toString('utf8', end));
}

/** The start of the digests in run.json. Inside strings, line breaks are escaped. */
const LIST_START = '\n "digests": [';
const DIGESTS = `${LIST_START}\n`;
const NO_DIGESTS = `${LIST_START}]`;
const DIGESTS_END = '\n ]';

function manifestIn(paths: RunPaths, text: string): KeptManifest {
  const read = <T>(work: () => T): T => readable(paths.manifest, work, NAME_ONE);
  const manifest = read(() => {
    const value: unknown = JSON.parse(text);
    const { formatVersion } = checked(version, value);
    return { formatVersion, value };
  });
  refuseNewer(paths, manifest.formatVersion);
  read(() => checked(needed, manifest.value));
  return manifest.value as KeptManifest;
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const places = result.error.issues.map(({ path }) => path.join('.')).filter((place) => place !== '');
  throw new Error(`it is not a valid manifest${places.length === 0 ? '' : `: see ${places.join(', ')}`}`);
}

function refuseNewer(paths: RunPaths, formatVersion: number): void {
  if (formatVersion <= FORMAT_VERSION) return;
  throw new AssayError('run-newer', `${paths.directory} was written by a newer version of assay`, {
    stage: 'log',
    hint: `update assay: this version reads format ${FORMAT_VERSION}, the run has format ${formatVersion}`,
  });
}
