import { resolve } from 'node:path';
import { inspect } from 'node:util';

import type { ProblemCode } from '../../core/error-code.ts';
import type { Problem } from '../../core/problem.ts';
import type { WorkspacePlan, WorkspaceScript } from '../../core/test-case.ts';
import type { Written } from '../config/schema.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { meantOr } from '../../lib/text/suggest.ts';
import { statusAt } from '../../lib/files/file-status.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { isTimeLimit, LONGEST_TIME_MS } from '../../lib/time/time-limit.ts';

export type WorkspaceFault = Pick<Problem, 'code' | 'message' | 'hint'>;

export interface WorkspacePlace {
  /** Absolute; relative paths start here. */
  readonly directory: string;
  /** Identifies the shared directory of this suite. */
  readonly key: string;
  /** The agent's working directory when no workspace is prepared; absolute. */
  readonly fallback: string;
  /** Absolute; where runs are kept. */
  readonly outputDirectory: string | undefined;
}

/** The workspace that a suite exports or a config names, with all its problems. */
export function suiteWorkspace(
  written: unknown,
  place: WorkspacePlace,
): { readonly plan: WorkspacePlan; readonly faults: readonly WorkspaceFault[] } {
  if (!isObject(written)) {
    return { plan: {}, faults: [notMode(written)] };
  }
  const faults = [
    ...modeFaults(written['mode']),
    ...keyFaults(written),
    ...templateFaults(written['templateDir'], place),
    ...bootstrapFaults(written['bootstrap']),
    ...cwdFaults(written, place),
  ];
  return faults.length > 0
    ? { plan: {}, faults }
    : { plan: planOf(written as unknown as Checked, place), faults };
}

function notMode(written: unknown): WorkspaceFault {
  return fault('workspace-mode', `expected { mode }, got ${shown(written)}`, {
    hint: "write { mode: 'none' }, { mode: 'shared' } or { mode: 'isolated' }",
  });
}

type RunSection = NonNullable<Written['run']>;
type Checked = NonNullable<RunSection['workspace']>;

const MODES = ['none', 'shared', 'isolated'];
const KEYS = ['mode', 'cwd', 'templateDir', 'bootstrap'];
const BOOTSTRAP_KEYS = ['command', 'args', 'timeoutMs', 'env'];

/** Keys that are not allowed in a mode. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  isolated: ['cwd'],
  none: ['templateDir', 'bootstrap'],
};

function modeFaults(mode: unknown): readonly WorkspaceFault[] {
  if (typeof mode === 'string' && MODES.includes(mode)) return [];
  return [fault('workspace-mode', `unknown workspace mode ${shown(mode)}`, { hint: meant(mode, MODES) })];
}

function keyFaults(written: Readonly<Record<string, unknown>>): readonly WorkspaceFault[] {
  const { mode } = written;
  const foreign = (typeof mode === 'string' ? FOREIGN[mode] : undefined) ?? [];
  const supplied = Object.keys(written).filter((key) => written[key] !== undefined);
  return [
    ...unknownKeys('', supplied, KEYS),
    ...foreign
      .filter((key) => supplied.includes(key))
      .map((key) =>
        fault(
          'workspace-key-not-allowed',
          `${key} is not allowed in a workspace of mode ${JSON.stringify(mode)}`,
        ),
      ),
  ];
}

function unknownKeys(prefix: string, supplied: readonly string[], known: readonly string[]) {
  return supplied
    .filter((key) => !known.includes(key))
    .map((key) =>
      fault('workspace-unknown-key', `unknown key ${JSON.stringify(prefix + key)}`, {
        hint: meant(key, known),
      }),
    );
}

function templateFaults(
  template: unknown,
  { directory, outputDirectory }: WorkspacePlace,
): readonly WorkspaceFault[] {
  if (template === undefined) return [];
  if (typeof template !== 'string' || template === '')
    return [
      templateFault(`templateDir: expected a path, got ${shown(template)}`, {
        hint: 'write the path of a folder as a text',
      }),
    ];
  const path = resolve(directory, template);
  const found = statusAt(path);
  if (found === undefined)
    return [
      templateFault(`folder not found: ${template}`, {
        hint: 'correct the path of the template, or create the folder',
      }),
    ];
  if (!found.isDirectory())
    return [templateFault(`${template} is not a folder`, { hint: 'name a folder, not a file' })];
  if (outputDirectory === undefined || wayWithin(path, outputDirectory) === undefined) return [];
  return [
    templateFault(`${template} contains the folder where runs are kept`, {
      hint: 'use a separate folder as the template, or choose another --out',
    }),
  ];
}

function templateFault(message: string, { hint }: { readonly hint: string }): WorkspaceFault {
  return fault('workspace-template', message, { hint });
}

function bootstrapFaults(bootstrap: unknown): readonly WorkspaceFault[] {
  if (bootstrap === undefined) return [];
  const wrong = (key: string, expected: string, value: unknown) =>
    fault('workspace-bootstrap', `bootstrap${key}: expected ${expected}, got ${shown(value)}`);
  if (!isObject(bootstrap)) return [wrong('', '{ command, args }', bootstrap)];
  const { command, args, timeoutMs, env } = bootstrap;
  const isText = (value: unknown) => typeof value === 'string';
  const checks: readonly (readonly [boolean, string, string, unknown])[] = [
    [isText(command) && (command as string).trim() !== '', '.command', 'a program', command],
    [args === undefined || (Array.isArray(args) && args.every(isText)), '.args', 'a list of texts', args],
    [
      timeoutMs === undefined || isTimeLimit(timeoutMs),
      '.timeoutMs',
      `a whole number from 1 to ${LONGEST_TIME_MS}`,
      timeoutMs,
    ],
    [env === undefined || (isObject(env) && Object.values(env).every(isText)), '.env', 'texts by name', env],
  ];
  return [
    ...unknownKeys('bootstrap.', Object.keys(bootstrap), BOOTSTRAP_KEYS),
    ...checks.filter(([holds]) => !holds).map(([, key, expected, value]) => wrong(key, expected, value)),
  ];
}

/** A directory of the user's own must exist; a prepared one is created. */
function cwdFaults(
  { mode, cwd, templateDir, bootstrap }: Readonly<Record<string, unknown>>,
  { directory }: WorkspacePlace,
): readonly WorkspaceFault[] {
  if (cwd === undefined || mode === 'isolated') return [];
  if (typeof cwd !== 'string' || cwd === '')
    return [fault('workspace-cwd', `cwd: expected a path, got ${shown(cwd)}`)];
  if (templateDir !== undefined || bootstrap !== undefined) return [];
  const isFolder = statusAt(resolve(directory, cwd))?.isDirectory() === true;
  return isFolder ? [] : [fault('workspace-cwd', `folder not found: ${cwd}`)];
}

function planOf(
  { mode, cwd, templateDir, bootstrap }: Checked,
  { directory, key, fallback }: WorkspacePlace,
): WorkspacePlan {
  const parts = {
    ...(templateDir === undefined ? {} : { template: resolve(directory, templateDir) }),
    ...(bootstrap === undefined ? {} : { bootstrap: scriptOf(bootstrap, directory) }),
  };
  if (mode === 'isolated') return { ...parts, repository: true };
  if (cwd !== undefined) return { ...parts, shared: { directory: resolve(directory, cwd) } };
  const isPrepared = templateDir !== undefined || bootstrap !== undefined;
  if (!isPrepared) return { shared: { directory: fallback } };
  return { ...parts, repository: true, shared: { key } };
}

/** Paths of files next to the suite are resolved, wherever the program runs. */
function scriptOf(
  { command, args = [], timeoutMs, env }: NonNullable<Checked['bootstrap']>,
  directory: string,
): WorkspaceScript {
  const placed = (word: string): string => {
    const path = resolve(directory, word);
    const isThere = /^\.\.?(?:\/|$)/.test(word) && statusAt(path) !== undefined;
    return isThere ? path : word;
  };
  return {
    script: [command, ...args].map(placed),
    ...given({ timeoutMs, env }),
  };
}

function fault(code: ProblemCode, message: string, more: { readonly hint?: string } = {}): WorkspaceFault {
  return { code, message: `workspace: ${message}`, ...more };
}

function meant(word: unknown, known: readonly string[]): string {
  const all = `known: ${known.join(', ')}`;
  return typeof word === 'string' ? meantOr(word, known, all) : all;
}

function shown(value: unknown): string {
  return inspect(value, { depth: 0, breakLength: Infinity }).slice(0, 80);
}
