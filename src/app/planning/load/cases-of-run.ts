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
 * its case has is no copy: that case is taken from the store. `places`: only the cases at these places of the plan are
 * read at once, and others when they are asked for.
 */
export function casesOfRun(
  run: Pick<StoredRun, 'frozen'>,
  plan: FrozenPlan,
  around: Pick<Surroundings, 'store' | 'cwd'>,
): CaseSource {
  const { spec, places } = plan;
  const more = (asked: readonly number[]) => casesAt(asked, { run, plan, around });
  return {
    folder: around.cwd,
    async read() {
      const cases = Array.from<TakenCase | undefined>({ length: spec.suites[0]?.cases ?? 0 });
      const first = places ?? [...spec.cases.id.keys()];
      for (let start = 0; start < first.length; start += PAGE)
        for (const [at, taken] of await more(first.slice(start, start + PAGE))) cases[at] = taken;
      return { cases, problems: [], ...(places === undefined ? {} : { more }) };
    },
  };
}

interface Copied {
  readonly run: Pick<StoredRun, 'frozen'>;
  readonly plan: FrozenPlan;
  readonly around: Pick<Surroundings, 'store' | 'cwd'>;
}

/** Cases at places of the plan, by their positions in the suite. */
async function casesAt(
  places: readonly number[],
  { run, plan: { spec, repeat }, around: { store: door, cwd: folder } }: Copied,
): Promise<ReadonlyMap<number, TakenCase>> {
  const planned = places.map((place) => plannedCase(spec, place, spec.options.repeat ?? repeat));
  const copies = await copiesOf(run, planned);
  const cases = new Map<number, TakenCase>();
  const missing = new Map<string, Planned>();
  for (const each of planned) {
    const taken = fromCopies(each, copies, folder);
    if (taken === undefined) missing.set(each.id, each);
    else cases.set(each.at, repeated(taken, each));
  }
  const store = missing.size === 0 ? undefined : await door?.find();
  if (store === undefined) return cases;
  const now = await store.cases.selected({ ids: [...missing.keys()] });
  for (const taken of await withMocks(store.cases, now, folder)) {
    const each = missing.get(taken.id ?? '');
    if (each !== undefined) cases.set(each.at, repeated(taken, each));
  }
  return cases;
}

/** What a run planned. */
export interface FrozenPlan {
  readonly spec: RunSpec;
  /** Repetitions without `--repeat`. */
  readonly repeat: number;
  /** Places of the cases that are read at once; absent: all. */
  readonly places?: readonly number[] | undefined;
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

function plannedCase({ cases, kinds, digests }: RunSpec, place: number, repeat: number): Planned {
  const kind = kinds[cases.kind[place] ?? -1];
  const skipped = kind?.skip?.kind;
  return {
    id: cases.id[place] ?? '',
    at: cases.at[place] ?? place,
    status: skipped === 'draft' || skipped === 'archived' ? skipped : 'active',
    digest: digests[cases.digest[place] ?? -1] ?? '',
    mocks: kind?.mocks === undefined ? undefined : digests[kind.mocks],
    repeatFactor: (kind?.repeat ?? repeat) / repeat,
  };
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
