import { storedCaseDigest } from '../../../authoring/stored/digest.ts';
import { SCHEMA_VERSION } from '../../../authoring/stored/schema.ts';
import type { TakenCase } from '../../../authoring/stored/map.ts';
import type { CaseFields, KeptCase } from '../../../core/case-store.ts';
import type { Frozen } from '../../../core/run.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { StoredRun } from '../../../core/run-store.ts';
import type { ToolMock } from '../../../core/test-case.ts';
import { labelDigest } from '../../../storage/runs/label-digest.ts';
import type { Surroundings } from '../../surroundings.ts';
import { mocksDigestOf } from '../mocks-digest.ts';
import type { CaseSource } from './case-source.ts';
import { takenCase, withMocks } from './cases-of-store.ts';

/** Most cases whose copies are read at once. */
const PAGE = 1000;

/**
 * The planned cases of a run of stored cases, from the copies that the run has frozen. A copy without the secrets that
 * its case has is no copy: that case is taken from the store.
 */
export function casesOfRun(
  run: Pick<StoredRun, 'frozen'>,
  { spec, repeat }: FrozenPlan,
  { store: door, cwd: folder }: Pick<Surroundings, 'store' | 'cwd'>,
): CaseSource {
  return {
    folder,
    async read() {
      const cases = Array.from<TakenCase | undefined>({ length: spec.suites[0]?.cases ?? 0 });
      const missing = new Map<string, Planned>();
      for (let start = 0; start < spec.cases.id.length; start += PAGE) {
        const planned = plannedCases(spec, start, spec.options.repeat ?? repeat);
        const copies = await copiesOf(run, planned);
        for (const each of planned) {
          const taken = fromCopies(each, copies, folder);
          if (taken === undefined) missing.set(each.id, each);
          else cases[each.at] = repeated(taken, each);
        }
      }
      const store = missing.size === 0 ? undefined : await door?.find();
      if (store === undefined) return { cases, problems: [] };
      const now = await store.cases.selected({ ids: [...missing.keys()] });
      for (const taken of await withMocks(store.cases, now, folder)) {
        const planned = missing.get(taken.id ?? '');
        if (planned !== undefined) cases[planned.at] = repeated(taken, planned);
      }
      return { cases, problems: [] };
    },
  };
}

/** What a run planned. */
export interface FrozenPlan {
  readonly spec: RunSpec;
  /** Repetitions without `--repeat`. */
  readonly repeat: number;
}

interface Planned {
  readonly id: string;
  /** Position in the suite. */
  readonly at: number;
  readonly status: CaseFields['status'];
  readonly digest: string;
  readonly mocks: string | undefined;
  readonly repeatFactor: number;
}

function plannedCases({ cases, kinds, digests }: RunSpec, start: number, repeat: number): readonly Planned[] {
  return cases.id.slice(start, start + PAGE).map((id, index) => {
    const place = start + index;
    const kind = kinds[cases.kind[place] ?? -1];
    const skipped = kind?.skip?.kind;
    return {
      id,
      at: cases.at[place] ?? place,
      status: skipped === 'draft' || skipped === 'archived' ? skipped : 'active',
      digest: digests[cases.digest[place] ?? -1] ?? '',
      mocks: kind?.mocks === undefined ? undefined : digests[kind.mocks],
      repeatFactor: (kind?.repeat ?? repeat) / repeat,
    };
  });
}

function repeated(taken: TakenCase, { repeatFactor }: Planned): TakenCase {
  return repeatFactor === 1 ? taken : { ...taken, repeatFactor };
}

async function copiesOf(
  run: Pick<StoredRun, 'frozen'>,
  planned: readonly Planned[],
): Promise<ReadonlyMap<string, Frozen['body']>> {
  const wanted = new Set(
    planned.flatMap(({ id, digest, mocks }) => [digest, labelDigest(id), mocks ?? digest]),
  );
  const copies = new Map<string, Frozen['body']>();
  for await (const { digest, body } of run.frozen(wanted)) copies.set(digest, body);
  return copies;
}

interface Label extends Pick<CaseFields, 'name' | 'difficulty' | 'tags'> {
  readonly description?: string;
}

type Answers = Parameters<typeof mocksDigestOf>[0];

function fromCopies(
  { id, digest, mocks: mocksDigest, status }: Planned,
  copies: ReadonlyMap<string, Frozen['body']>,
  folder: string,
): TakenCase | undefined {
  const measured = copies.get(digest) as Omit<CaseFields, keyof Label | 'status'> | undefined;
  const label = copies.get(labelDigest(id)) as Label | undefined;
  const answers = mocksDigest === undefined ? {} : (copies.get(mocksDigest) as Answers | undefined);
  if (measured === undefined || label === undefined || answers === undefined) return undefined;
  if (mocksDigest !== undefined && mocksDigestOf(answers) !== mocksDigest) return undefined;
  const { schema_version: version, ...content } = measured as typeof measured & { schema_version: string };
  const { name, description = null, difficulty, tags } = label;
  const fields: CaseFields = { ...content, name, description, difficulty, tags, status };
  if (version !== SCHEMA_VERSION || storedCaseDigest(fields) !== digest) return undefined;
  const kept: Pick<KeptCase, 'id' | 'fields'> & { mocks: readonly ToolMock[] } = {
    id,
    fields,
    mocks: answers.mocks ?? [],
  };
  return takenCase(kept, folder);
}
