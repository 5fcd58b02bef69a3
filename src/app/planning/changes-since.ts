import { isDeepStrictEqual } from 'node:util';

import { isStoredRun } from '../../authoring/config/references.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { CaseKind, RunSpec } from '../../core/run-spec.ts';
import type { Suite, TestCase } from '../../core/test-case.ts';
import { casesOfSpec } from '../../engine/spec-plan.ts';
import { given } from '../../lib/given.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { judgeIdentity } from './judge-identity.ts';
import { withImageIds } from '../binding/image-ids.ts';
import type { Project } from '../binding/machine.ts';
import { sandboxUnavailable } from '../binding/require-sandboxes.ts';
import { levelOf } from '../binding/sandbox-of-target.ts';
import { useTargets } from '../binding/use-targets.ts';
import { caseDigester, createDigestList } from './digests.ts';
import { targetDigest } from './plan-manifest.ts';
import { kindOf } from './spec-of.ts';
import { whatToPlan } from './what-to-plan.ts';

/** A checkout to compare. */
export interface Compared {
  readonly project: Project;
  /** Ends the making of images. */
  readonly signal: AbortSignal | undefined;
  /** Only the cases at these places of the plan are compared; absent: all. */
  readonly places?: readonly number[] | undefined;
}

/**
 * What changed in a checkout since a run was planned: its config, suites and targets, as text. Throws
 * `sandbox-unavailable` when an image cannot be compared, and the reason of the signal when it aborts.
 */
export async function changesSince(
  spec: RunSpec,
  { config }: Pick<Manifest, 'config'>,
  { project, signal, places }: Compared,
): Promise<readonly string[]> {
  const { loaded, suites } = project;
  const isSameConfig = config?.digest === (loaded.file === undefined ? undefined : loaded.digest);
  const known = new Set(spec.suites.map(({ id }) => id));
  return [
    ...(isSameConfig ? [] : ['the config']),
    ...changedSuites(spec, project, places),
    ...suites.filter(({ id }) => !known.has(id)).map(({ id }) => `suite ${id} is new`),
    ...(await changedTargets(spec, { project, signal })).map((name) => `target ${name}`),
  ];
}

/** Missing environment variables of a target are reported later, when it is bound. */
async function changedTargets(
  { targets, digests, options }: RunSpec,
  { project, signal }: Compared,
): Promise<readonly string[]> {
  const { loaded } = project;
  const names = targets.map(({ name }) => name);
  const asked = given({ sandbox: options.sandbox });
  const { directory } = loaded;
  const use = await withImageIds(useTargets(names, loaded, asked), { directory, images: 'made', signal });
  return targets.flatMap(({ name, digest }) => {
    const used = use.targets.get(name);
    const { sandbox, imageFault } = used ?? {};
    if (sandbox !== undefined && imageFault !== undefined)
      throw sandboxUnavailable({ name, level: levelOf(sandbox) }, imageFault);
    if (used === undefined) return loaded.written.has(name) || isStoredRun(name) ? [] : [name];
    return targetDigest(use.written.get(name) ?? {}, used, project) === digests[digest] ? [] : [name];
  });
}

function changedSuites(spec: RunSpec, project: Project, compared: Compared['places']): readonly string[] {
  const loaded = new Map(project.suites.map((suite) => [suite.id, suite]));
  const isSame = sameCase(spec, project);
  const planned = placesBySuite(spec, compared ?? spec.cases.kind.keys());
  return spec.suites.flatMap(({ id, cases: count }, position) => {
    const suite = loaded.get(id);
    if (suite === undefined) return [`suite ${id}`];
    const places = planned.get(position) ?? [];
    const find = caseFinder(suite);
    const found = places.map((place) => ({ place, ...find(spec, place) }));
    const changed = found.filter(({ place, testCase }) => testCase && !isSame(place, testCase));
    const isMoved = found.some(({ isElsewhere }) => isElsewhere);
    const now = suite.cases.length;
    const isCounted = now !== count && (isMoved || places.length === count);
    const parts = [
      ...(changed.length === 0 ? [] : [named(changed.map(({ place }) => spec.cases.id[place] ?? ''))]),
      ...(isCounted ? [`${now} instead of ${count} cases`] : []),
    ];
    if (parts.length > 0) return [`suite ${id} (${parts.join('; ')})`];
    return isMoved ? [`suite ${id}`] : [];
  });
}

/** Positions of cases in the plan, by position of their suite. */
function placesBySuite(
  { cases, kinds }: RunSpec,
  compared: Iterable<number>,
): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  for (const place of compared) {
    const suite = kinds[cases.kind[place] ?? -1]?.suite ?? -1;
    const own = places.get(suite) ?? [];
    places.set(suite, own);
    own.push(place);
  }
  return places;
}

/** Finds a planned case at its position, or elsewhere in its suite. */
function caseFinder({ cases }: Suite) {
  let places: ReadonlyMap<string, number> | undefined;
  return ({ cases: { id, at } }: RunSpec, place: number) => {
    const index = at[place] ?? -1;
    const here = index < cases.length ? cases.at(index) : undefined;
    if (here?.id === id[place]) return { testCase: here, isElsewhere: false };
    places ??= new Map(Array.from({ length: cases.length }, (_, each) => [cases.at(each).id, each]));
    const elsewhere = places.get(id[place] ?? '');
    return { testCase: elsewhere === undefined ? undefined : cases.at(elsewhere), isElsewhere: true };
  };
}

/** Returns whether a case would be planned the same way: its content, graders, targets and repetitions. */
export function sameCase(spec: RunSpec, project: Project): (place: number, testCase: TestCase) => boolean {
  const { options, kinds, cases } = spec;
  const before = casesOfSpec(spec);
  const digests = createDigestList(spec.digests);
  const identityOf = judgeIdentity(project.loaded, options.judge);
  const digestsOf = caseDigester({ ...project, digests, identityOf });
  const settings = { ...project.run, ...spec.settings };
  const { targetsOf, repeatOf } = whatToPlan(project, { options, settings });
  const isNarrow = isNarrowed(spec, project);
  return (place, testCase) => {
    const kind = kinds[cases.kind[place] ?? -1];
    if (kind === undefined) return false;
    const now = digestsOf(testCase);
    const was = before.at(place).digests;
    if (now.case !== was.case || !isDeepStrictEqual(now.graders, was.graders)) return false;
    const asked = [...new Set(targetsOf(testCase))];
    const targets = isNarrow && kind.targets.every((name) => asked.includes(name)) ? kind.targets : asked;
    const { skip, dependsOn } = testCase;
    const planned = {
      suite: kind.suite,
      targets,
      repeat: repeatOf(testCase),
      digests: now,
      ...(skip && { skip }),
      ...(dependsOn && { dependsOn }),
    };
    return textOf(kindOf(planned)) === textOf(kind);
  };
}

/** Whether cases may have been planned for fewer targets than they name. */
function isNarrowed({ options }: RunSpec, { run }: Project): boolean {
  const { cases, tags = run.tags, excludeTags = run.excludeTags, limit, sample, shard, failed } = options;
  const lists = [cases, tags, excludeTags].some((list) => list.length > 0);
  return lists || [limit, sample, shard, failed].some((each) => each !== undefined);
}

/** Without judges, models and reasons, which digests cover. Stored specs contain no secrets. */
function textOf({ judges: _judges, models: _models, skip, ...kind }: CaseKind): string {
  return JSON.stringify({ ...kind, skip: skip?.kind });
}

/** Most cases of a suite that are named. */
const MOST_NAMED = 5;

function named(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'case' : 'cases'} ${firstOf(ids, MOST_NAMED)}`;
}
