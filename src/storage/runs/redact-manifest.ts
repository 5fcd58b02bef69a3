import type { TargetVariant } from '../../core/target-variant.ts';
import type { AgentVersionId } from '../../core/agent-store.ts';
import type { GateOutcome, Manifest } from '../../core/manifest.ts';
import { type PlaceRule, redactJson } from '../../lib/redact/redact-json.ts';
import { CHOICE, clean, DIGEST, ID, keyed, NAME, PATH, TIME } from './place-rules.ts';
import type { Redaction } from './redaction.ts';

/** The manifest with secrets removed from all fields that are not listed as safe. */
export function redactManifest(manifest: Manifest, { text }: Pick<Redaction, 'text'>): Manifest {
  return redactJson(manifest, text, SAFE);
}

const KEYS_STAY: PlaceRule = {
  get each() {
    return KEYS_STAY;
  },
};

/** Keys and the type come from assay. Values are written by users. */
export const CONFIG: PlaceRule = { keys: new Map([['type', NAME]]), each: KEYS_STAY };

export const SETTINGS: PlaceRule = {
  because: 'they are needed to plan the run again',
  get each() {
    return SETTINGS;
  },
};

type Part<Key extends keyof Manifest> = NonNullable<Manifest[Key]>;

const SAFE = keyed<Manifest>({
  kind: CHOICE,
  sourceRunId: ID,
  mergedFrom: ID,
  partial: keyed<Part<'partial'>>(clean('missingShards', 'isAllowed')),
  chosenFrom: ID,
  id: ID,
  startedAt: TIME,
  endedAt: TIME,
  state: CHOICE,
  projectRoot: PATH,
  cwd: PATH,
  config: keyed<Part<'config'>>({ file: PATH, digest: DIGEST }),
  settings: SETTINGS,
  suites: keyed<Manifest['suites'][number]>({
    id: NAME,
    name: NAME,
    file: PATH,
    cases: 'clean',
    onlyCase: 'clean',
    digest: DIGEST,
    casesDigest: DIGEST,
    derivedMetrics: { each: 'clean' },
    whole: DIGEST,
  }),
  targets: keyed<Manifest['targets'][number]>({
    name: NAME,
    type: NAME,
    config: CONFIG,
    digest: 'clean',
    versions: { each: 'clean' },
    variant: keyed<TargetVariant>({ base: NAME, values: { each: NAME } }),
    agent: keyed<AgentVersionId>({ id: ID, version: 'clean' }),
  }),
  digests: DIGEST,
  versions: { each: 'clean' },
  git: keyed<Part<'git'>>({ commit: ID, dirty: 'clean' }),
  isolation: CHOICE,
  leftovers: keyed<Part<'leftovers'>>({ token: ID, folders: PATH, seal: ID }),
  reason: CHOICE,
  gates: keyed<GateOutcome>({ gate: NAME, ...clean('holds', 'value', 'says') }),
  baseline: keyed<Part<'baseline'>>({ base: ID, verdict: CHOICE, sentence: 'clean' }),
  spent: keyed<Part<'spent'>>(clean('usd', 'upTo')),
  ...clean('formatVersion', 'command', 'trials', 'seed', 'hermetic', 'exitCode', 'noEvidence'),
});
