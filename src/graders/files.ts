import { posix } from 'node:path';

import * as z from 'zod';

import type { FileChange } from '../core/file-change.ts';
import { verdictFinding, type GradedWorkspace } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { globPattern, hasFaultyRange } from '../lib/text/path-glob.ts';
import { matches } from './bounded-regexp.ts';
import { deciding } from './deciding.ts';
import { observed, quoted } from './excerpt.ts';
import { remembering } from '../lib/text/remembering.ts';
import { directoryAsLeft, fileText, lookAt } from './workspace-file.ts';

const inside = 'must be a relative path inside the workspace';

const path = z.lazy(() => z.string().min(1).refine(staysInside, inside));

const globs = z.lazy(() =>
  z.array(
    z
      .string()
      .min(1)
      .refine(staysInside, inside)
      .refine(
        (glob) => !hasFaultyRange(glob),
        'is not a valid glob; use `*`, `?`, `**`, `[abc]` and `{a,b}`',
      ),
  ),
);

const config = z.lazy(() =>
  z
    .strictObject({
      exists: z
        .array(path)
        .min(1)
        .optional()
        .describe('Paths in the workspace; a file or folder must exist at each.'),
      absent: z.array(path).min(1).optional().describe('Paths in the workspace; none may exist.'),
      contains: z
        .record(path, z.string().min(1))
        .refine((texts) => Object.keys(texts).length > 0, 'must have at least one file')
        .optional()
        .describe('Texts that files must contain, by path.'),
      unchanged: globs
        .unwrap()
        .min(1)
        .optional()
        .describe('Globs; no matching file may be created, edited or deleted.'),
      only_changed: globs
        .optional()
        .describe(
          'Globs; every created, edited or deleted file must match one. An empty list: nothing may change.',
        ),
    })
    .refine((checks) => Object.values(checks).some((check) => check !== undefined), {
      error: 'give at least one of `exists`, `absent`, `contains`, `unchanged`, `only_changed`',
    }),
);

type Config = z.infer<typeof config>;

export const files: GraderPlugin<Config> = {
  type: 'files',
  touches: () => 'files',
  version: 1,
  summary: 'The state of the workspace after the agent.',
  config,
  create: (options) =>
    deciding(async ({ workspace }) => {
      if (workspace === undefined) {
        throw new Error(
          'the trial has no workspace; add a `workspace` to the test (with `keep: always` to grade it again later)',
        );
      }
      const problems = [
        ...(await problemsOfState(workspace, options)),
        ...(await problemsOfChanges(workspace, options)),
      ];
      return problems.length === 0
        ? verdictFinding(true, 'the files are as expected')
        : verdictFinding(false, problems.join('; '));
    }),
};

async function problemsOfState(
  workspace: GradedWorkspace,
  { exists = [], absent = [], contains = {} }: Config,
): Promise<readonly string[]> {
  const directory = directoryAsLeft(workspace);
  const problems = await Promise.all([
    ...exists.map((place) => existenceProblem(directory, place)),
    ...absent.map((place) => absenceProblem(directory, place)),
    ...Object.entries(contains).map(([place, text]) => contentProblem(directory, place, text)),
  ]);
  return problems.filter((problem) => problem !== undefined);
}

async function existenceProblem(directory: string, place: string): Promise<string | undefined> {
  const { kind } = await lookAt(directory, place);
  if (kind === 'nothing') return `expected ${place} to exist`;
  return kind === 'stray link'
    ? `expected ${place} to exist; it is a link out of the workspace or to nothing`
    : undefined;
}

async function absenceProblem(directory: string, place: string): Promise<string | undefined> {
  const { kind } = await lookAt(directory, place);
  return kind === 'nothing' ? undefined : `expected nothing at ${place}, found a ${kind}`;
}

async function contentProblem(directory: string, place: string, text: string): Promise<string | undefined> {
  const expected = `expected ${place} to contain ${quoted(text, 80)}`;
  const found = await lookAt(directory, place);
  if (found.kind !== 'file')
    return `${expected}; there is ${found.kind === 'nothing' ? '' : 'a '}${found.kind}`;
  const content = await fileText(found.realPath);
  if ('problem' in content) return `${expected}; it ${content.problem}`;
  return content.text.includes(text) ? undefined : `${expected}; it begins ${quoted(content.text, 80)}`;
}

async function problemsOfChanges(
  workspace: GradedWorkspace,
  { unchanged = [], only_changed }: Config,
): Promise<readonly string[]> {
  if (unchanged.length === 0 && only_changed === undefined) return [];
  const changes = await workspace.changes();
  const fitsOne = (list: readonly string[], place: string) => list.some((glob) => fits(glob, place));
  const isUnknown = ({ omitted }: FileChange) => omitted === 'unreadable';
  const isStray = ({ path: place }: FileChange) =>
    only_changed !== undefined && !fitsOne(only_changed, place);
  const unread = changes.filter(
    (change) => isUnknown(change) && (mayHold(unchanged, change.path) || isStray(change)),
  );
  const known = changes.filter((change) => !isUnknown(change));
  const touched = known.filter((change) => fitsOne(unchanged, change.path));
  const stray = known.filter(isStray);
  const told = (list: typeof changes) =>
    observed(
      list.map((change) => `${change.path} (${change.change})`),
      5,
    );
  const problems = [
    ...(touched.length === 0
      ? []
      : [`expected no change of ${unchanged.join(', ')}, found ${told(touched)}`]),
    ...(stray.length === 0
      ? []
      : [`expected changes only in ${only_changed?.join(', ') || 'no file'}, found ${told(stray)}`]),
  ];
  if (problems.length === 0 && unread.length > 0) throw undecidable(unread.map((change) => change.path));
  return problems;
}

function undecidable(paths: readonly string[]): Error {
  return new Error(`what is at these paths of the workspace could not be read: ${observed(paths, 5)}`);
}

/** Whether a glob may match a path or something below it. */
function mayHold(list: readonly string[], place: string): boolean {
  return list.some((glob) => /[*?[{]/.test(glob) || `${glob}/`.startsWith(`${place}/`) || fits(glob, place));
}

function staysInside(place: string): boolean {
  const normal = posix.normalize(place.replaceAll('\\', '/'));
  return (
    !posix.isAbsolute(normal) && normal !== '..' && !normal.startsWith('../') && !/^[a-z]:/i.test(normal)
  );
}

/** Takes bounded time for any glob. */
function fits(glob: string, place: string): boolean {
  return matches(patternOf(glob), 's', place);
}

const patternOf = remembering(256, (glob) => globPattern([glob]));
