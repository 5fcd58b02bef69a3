import { AssayError } from '../core/errors.ts';
import type { Installation, TargetPlugin } from '../core/plugin.ts';
import { nearest } from '../lib/text/suggest.ts';
import { allTargets } from './registry.ts';
import type { Surroundings } from './run-options.ts';

export interface DoctorRequest {
  /** Types of targets; none: all that need a program of their own. */
  readonly types: readonly string[];
  readonly form: 'text' | 'json';
}

/** What this machine has of the programs behind targets, as text or JSON, and whether all of them can be used. */
export async function examine(
  { types, form }: DoctorRequest,
  { cwd, environment }: Surroundings,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isSound: boolean }> {
  const place = { directory: cwd, environment };
  const found = await Promise.all(
    (await chosen(types)).map(async ({ type, inspect }) => ({ type, ...(await inspect(place, signal)) })),
  );
  const isSound = found.every(({ problems }) => problems.length === 0);
  const text = form === 'json' ? `${JSON.stringify(found, undefined, 2)}\n` : found.map(described).join('\n');
  return { text, isSound };
}

interface Inspectable {
  readonly type: string;
  readonly inspect: NonNullable<TargetPlugin['inspect']>;
}

async function chosen(types: readonly string[]): Promise<readonly Inspectable[]> {
  const known: readonly Inspectable[] = [...(await allTargets()).values()].flatMap(({ type, inspect }) =>
    inspect === undefined ? [] : [{ type, inspect }],
  );
  const names = known.map(({ type }) => type);
  for (const type of types) {
    if (names.includes(type)) continue;
    const meant = nearest(type, names);
    throw new AssayError('unknown-target-type', `${type} is no type of target with a program of its own`, {
      stage: 'authoring',
      hint: meant === undefined ? `known are ${names.join(', ')}` : `did you mean ${meant}?`,
    });
  }
  return types.length === 0 ? known : known.filter(({ type }) => types.includes(type));
}

function described({
  type,
  program,
  path,
  version,
  problems,
  notes,
}: Installation & { readonly type: string }): string {
  const state = problems.length === 0 ? 'ok' : path === undefined ? 'not installed' : 'needs attention';
  const what = [program, version].filter((word) => word !== undefined && word !== '').join(' ');
  const lines = [
    `${type}: ${state}${what === '' ? '' : ` (${what})`}`,
    ...(path === undefined ? [] : [`  at ${path}`]),
    ...problems.map((problem) => `  ! ${problem}`),
    ...notes.map((note) => `  - ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}
