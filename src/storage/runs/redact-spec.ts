import type { TargetVariant } from '../../core/target-variant.ts';
import type { AgentVersionId } from '../../core/agent-store.ts';
import type {
  CaseKind,
  RunSpec,
  SpecCases,
  SpecJudges,
  SpecSuite,
  SpecTarget,
  SpecUser,
} from '../../core/run-spec.ts';
import type { Skip } from '../../core/test-case.ts';
import { redactJson } from '../../lib/redact/redact-json.ts';
import { CHOICE, clean, ID, keyed, NAME, PATH } from './place-rules.ts';
import { CONFIG, SETTINGS } from './redact-manifest.ts';
import type { Redaction } from './redaction.ts';

/**
 * The JSON of a spec as it is kept: without its digests, which the manifest has, and without secrets in what is not
 * listed as safe.
 */
export function keptSpecText(
  spec: RunSpec,
  { text, mayTouch }: Pick<Redaction, 'text' | 'mayTouch'>,
): string {
  const { digests: _, ...kept } = spec;
  const written = JSON.stringify(kept);
  return mayTouch(written) ? JSON.stringify(redactJson(kept, text, SAFE)) : written;
}

const SAFE = keyed<Omit<RunSpec, 'digests'>>({
  formatVersion: 'clean',
  options: SETTINGS,
  settings: SETTINGS,
  suites: keyed<SpecSuite>({ id: NAME, file: PATH, cases: 'clean' }),
  kinds: keyed<CaseKind>({
    targets: NAME,
    gradersUnder: { each: 'clean' },
    dependsOn: NAME,
    skip: keyed<Skip>({ kind: CHOICE, reason: 'clean' }),
    ...clean('suite', 'repeat', 'graderCount', 'judges', 'models', 'terms', 'mocks', 'userPrompt'),
  }),
  cases: keyed<SpecCases>({ id: NAME, ...clean('at', 'kind', 'digest', 'graders') }),
  targets: keyed<SpecTarget>({
    name: NAME,
    type: NAME,
    written: CONFIG,
    digest: 'clean',
    variant: keyed<TargetVariant>({ base: NAME, values: { each: NAME } }),
    agent: keyed<AgentVersionId>({ id: ID, version: 'clean' }),
  }),
  judges: keyed<SpecJudges>({ ofConfig: 'clean', targets: NAME }),
  user: keyed<SpecUser>(clean('written', 'isAsked')),
  metrics: 'clean',
  replays: SETTINGS,
});
