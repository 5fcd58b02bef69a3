import type { Manifest } from '../../core/manifest.ts';
import type { CaseDigests } from '../../engine/plan.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';

/** A run that is planned again, whose list of digests begins with what it was. */
export type Replanned = Pick<PreparedRun, 'digests' | 'plan'> & {
  readonly manifest: Pick<PreparedRun['manifest'], 'config' | 'suites' | 'targets'>;
};

/** What is not as it was when the run was planned. */
export function changesSince(before: Manifest, prepared: Replanned): string[] {
  const { manifest, digests } = prepared;
  const suites = new Map(manifest.suites.map((suite) => [suite.id, suite.digest]));
  const targets = new Map(manifest.targets.map((target) => [target.name, digests.list[target.digest]]));
  return [
    ...(before.config?.digest === manifest.config?.digest ? [] : ['the config']),
    ...before.suites
      .filter(({ id, digest }) => suites.get(id) !== digest)
      .map((suite) => `suite ${suite.id}${whichCases(suite, before, prepared)}`),
    ...manifest.suites
      .filter(({ id }) => !before.suites.some((suite) => suite.id === id))
      .map(({ id }) => `suite ${id} is new`),
    ...before.targets
      .filter(({ name, digest }) => targets.get(name) !== before.digests[digest])
      .map(({ name }) => `target ${name}`),
    ...manifest.targets
      .filter(({ name }) => !before.targets.some((target) => target.name === name))
      .map(({ name }) => `target ${name} is new`),
  ];
}

/** How many cases of a suite are named. */
const MOST_NAMED = 5;

/** Names the cases that are made of something that the run did not know; empty where only their order or number differs. */
function whichCases(
  { id, cases }: Manifest['suites'][number],
  { digests: known }: Pick<Manifest, 'digests'>,
  { plan, manifest }: Replanned,
): string {
  const isNew = (number: number | undefined): boolean => number !== undefined && number >= known.length;
  const changed = plan.cases.flatMap((planned) => {
    const isMeant = plan.suites[planned.suite]?.id === id && numbersOf(planned.digests).some(isNew);
    return isMeant ? [planned.id] : [];
  });
  const now = manifest.suites.find((suite) => suite.id === id)?.cases;
  const parts = [
    ...(changed.length === 0 ? [] : [named(changed)]),
    ...(now === undefined || now === cases ? [] : [`${now} instead of ${cases} cases`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

function numbersOf({ case: own, graders, gradersUnder = {}, terms, mocks }: CaseDigests) {
  return [own, terms, mocks, ...graders, ...Object.values(gradersUnder).flat()];
}

function named(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMED;
  const shown = ids.slice(0, MOST_NAMED).join(', ');
  return `${ids.length === 1 ? 'case' : 'cases'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
