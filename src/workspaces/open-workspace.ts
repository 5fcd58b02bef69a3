import { dirname } from 'node:path';

import { messageOf } from '../core/errors.ts';
import type { FileChange } from '../core/file-change.ts';
import type { Workspace } from '../core/workspace.ts';
import { endProcessesBelow, type Moment } from '../lib/process/processes-below.ts';
import { pathGlob } from '../lib/text/path-glob.ts';
import { plural } from '../lib/text/plural.ts';
import type { AttemptStore, Baseline } from './baselines.ts';
import { bytePath, shownPath } from '../lib/files/byte-path.ts';
import { endWorkspace, type WorkspaceEnd } from './end-workspace.ts';
import { fileChanges } from './file-changes.ts';
import { givenToGraders, type GivenToGraders } from './given-to-graders.ts';
import { writeKeptChanges } from './kept-changes.ts';
import { once } from './once.ts';
import type { NewCommit } from './fast-import-stream.ts';
import { writtenMeanwhile } from './restore-files.ts';
import { LARGEST_BYTES, scanTree, type Tree } from './scan-tree.ts';
import { treeDelta, type Difference } from './tree-delta.ts';
import { inWorkTime } from './work-time.ts';
import type { PlacedJob } from './workspace-job.ts';

/** Records the baseline of a prepared directory, and returns the workspace. */
export async function openWorkspace(
  job: PlacedJob & { readonly since: Moment },
  template: Baseline,
  signal: AbortSignal,
): Promise<Workspace> {
  const { since, directory, plan, services, attempt } = job;
  let own: AttemptStore | undefined;
  const store = once(async () => (own = await services.baselines.attemptStore()));
  const closeStore = async () => own?.remove().catch(() => {});

  const history: History = { directory, store };
  const baseline =
    plan.setup === undefined &&
    plan.bootstrap === undefined &&
    services.stagedFor(attempt.trial.target).length === 0
      ? template
      : await inWorkTime('recording the workspace', signal, (now) =>
          afterSetup(history, template, now),
        ).catch(async (error: unknown) => {
          await closeStore();
          throw error;
        });
  const warnings: string[] = [];
  let after: Recorded | undefined;
  let given: GivenToGraders = { warnings: [] };
  let described: Promise<readonly FileChange[]> | undefined;
  const changes = () => (described ??= describe(history, baseline, after));

  return {
    directory,
    limitsDisk: services.mostBytesFor(attempt.trial.target) !== undefined,
    gradedDirectory: () => given.directory ?? directory,
    endProcesses: async () => {
      const count = await endProcessesBelow(directory, since);
      // Programs of graders are not those of the agent.
      if (given.directory !== undefined) await endProcessesBelow(given.directory, since);
      if (count > 0) warnings.push(leftRunning(count));
    },
    capture: async (asked) => {
      asked.throwIfAborted();
      await inWorkTime('capturing the changes of the workspace', asked, async (now) => {
        const { tree, unreadable } = await scanTree(bytePath(directory), now);
        after = await commitOnto(history, baseline, { tree, signal: now, ifWritten: refusing(plan.restore) });
        warnings.push(...omissions(unreadable, after.differences));
        given = await givenToGraders({ job, store, before: baseline.tree, after: tree }, now);
        warnings.push(...given.warnings);
      });
    },
    tampered: async () => (await given.tampered?.()) ?? [],
    changes,
    release: async (verdict) => {
      const end = await endWorkspace({ ...job, graded: given.directory }, verdict);
      // Unrequested changes may take long to compute; users who keep every directory want them.
      const areWanted = described !== undefined || plan.keep === 'always';
      if (after !== undefined && areWanted) warnings.push(...(await keepChanges(end, changes, job)));
      await closeStore();
      return { ...end, warnings: [...warnings, ...end.warnings] };
    },
  };
}

/** Where the trees of one attempt come from and where they are stored. */
interface History {
  readonly directory: string;
  store(): Promise<AttemptStore>;
}

interface Recorded extends Baseline {
  readonly differences: readonly Difference[];
}

/** Refuses protected files that are written while the changes of the agent are captured. */
function refusing(globs: readonly string[] | undefined): NewCommit['ifWritten'] {
  if (globs === undefined) return undefined;
  const isProtected = pathGlob(globs);
  return (path) =>
    isProtected(shownPath(path))
      ? writtenMeanwhile(`${shownPath(path)} was changed while assay recorded the changes of the workspace`)
      : undefined;
}

async function afterSetup(history: History, template: Baseline, signal: AbortSignal): Promise<Baseline> {
  const { tree } = await scanTree(bytePath(history.directory), signal);
  return commitOnto(history, template, { tree, signal });
}

/** Free when nothing has changed. */
async function commitOnto(
  { directory, store }: History,
  before: Baseline,
  {
    tree,
    signal,
    ifWritten,
  }: { readonly tree: Tree; readonly signal: AbortSignal } & Pick<NewCommit, 'ifWritten'>,
): Promise<Recorded> {
  const differences = treeDelta(before.tree, tree);
  if (differences.length === 0) return { ...before, tree, differences };
  const own = await store();
  const commit = await own.commit({ parent: before.commit, differences, directory, ifWritten }, signal);
  return { tree, commit, differences };
}

async function describe(
  { store }: History,
  before: Baseline,
  after: Recorded | undefined,
): Promise<readonly FileChange[]> {
  if (after === undefined)
    throw new Error('the changes of a workspace are only known after they are captured');
  if (after.commit === undefined || after.differences.length === 0) return [];
  const own = await store();
  const { commit, differences } = after;
  return await inWorkTime('computing the changes of the workspace', NEVER, async (now) =>
    fileChanges(differences, await own.diff(before.commit, commit, now)),
  );
}

/** For grading again. */
async function keepChanges(
  { keptAt }: WorkspaceEnd,
  changes: () => Promise<readonly FileChange[]>,
  { directory, services }: PlacedJob,
): Promise<readonly string[]> {
  if (keptAt === undefined || dirname(keptAt) === dirname(directory)) return [];
  try {
    writeKeptChanges(keptAt, await changes(), services.redact);
    return [];
  } catch (error) {
    return [services.redact(`could not save the changes of the workspace: ${messageOf(error)}`)];
  }
}

function leftRunning(count: number): string {
  return `${plural(count, 'program')} left running by the agent in the workspace ${count === 1 ? 'was' : 'were'} ended`;
}

/** Warnings for the row about changes that the list cannot show. */
function omissions(unreadable: readonly string[], differences: readonly Difference[]): readonly string[] {
  const large = differences.filter(({ after }) => after?.omitted === 'too-large');
  const limit = `${LARGEST_BYTES / 2 ** 20} MB`;
  return [
    ...listed(unreadable, 'paths of the workspace that could not be read'),
    ...listed(
      large.map(({ path }) => shownPath(path)),
      `changed files of the workspace that were not read because they are larger than ${limit}`,
    ),
  ];
}

function listed(paths: readonly string[], what: string): readonly string[] {
  if (paths.length === 0) return [];
  const shown = paths
    .slice(0, 5)
    .map((path) => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path))
    .join(', ');
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  return [`${what}: ${shown}${more}`];
}

const NEVER = new AbortController().signal;
