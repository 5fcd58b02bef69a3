import { targetParts } from '../authoring/config/check-targets.ts';
import { processEnvironment, resolveTarget } from '../authoring/config/resolve-target.ts';
import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { literalSecrets } from '../authoring/config/literal-secrets.ts';
import { AssayError } from '../core/errors.ts';
import type { Installation, TargetPlugin, TargetSettings } from '../core/plugin.ts';
import { AuthoringError, formatProblem } from '../core/problem.ts';
import { given } from '../lib/given.ts';
import { createRedactor } from '../lib/redact/redact.ts';
import { didYouMean } from '../lib/text/suggest.ts';
import { openConfig } from './project/open-config.ts';
import { allTargets } from './registry.ts';
import type { Surroundings } from './surroundings.ts';
import { printableLine } from '../lib/text/printable-json.ts';

export interface DoctorRequest {
  /** Target types to check. Empty: all types that run a local program. */
  readonly types: readonly string[];
  readonly form: 'text' | 'json';
  /** Config file from the command line. Absent: the config is searched for. */
  readonly config?: string;
}

/**
 * Checks the programs of targets on this machine. Returns a report as text or JSON, and whether all are usable. If the
 * config has targets of a type, they are checked as configured.
 */
export async function examine(
  { types, form, config }: DoctorRequest,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isSound: boolean }> {
  const { cwd, environment } = surroundings;
  const plugins = await chosen(types);
  const { loaded, problems } = await openConfig({ file: config, start: cwd, surroundings });
  if (loaded === undefined) throw new AuthoringError(problems);
  const looked = await Promise.all(
    plugins.flatMap(({ type, inspect }): Promise<Examined>[] => {
      const targets = [...loaded.written.values()].filter(({ keys }) => keys['type'] === type);
      if (targets.length > 0)
        return targets.map(({ name }) => ofTarget({ name, type, loaded }, inspect, signal));
      const place = { directory: cwd, operatorEnvironment: environment };
      return [inspect(place, signal).then((installation) => ({ type, ...installation }))];
    }),
  );
  // A type without a usual program is only checked if a target names its program.
  const found = looked.filter((each) => types.length > 0 || each.target !== undefined || each.program !== '');
  const isSound = found.every((each) => each.problems.length === 0);
  const shown = withoutSecrets(found, loaded);
  const text = form === 'json' ? printableLine(shown, 2) : shown.map(described).join('\n');
  return { text, isSound };
}

/** The value of `${{ NAME }}` may be a key, so it is masked everywhere. */
function withoutSecrets(found: readonly Examined[], loaded: LoadedConfig): readonly Examined[] {
  const names = found.flatMap(({ target }) =>
    target === undefined ? [] : resolveTarget(loaded, target).environmentNames,
  );
  const written = [...loaded.written.values()].map(({ keys }) => keys);
  const { json } = createRedactor({
    environment: loaded.environment,
    names: [...names, ...(loaded.config.run?.redact?.names ?? [])],
    literals: literalSecrets(written),
  });
  return json(found);
}

interface Examined extends Installation {
  /** Name of the target. Absent: the usual program of the type is checked. */
  readonly target?: string;
  readonly type: string;
}

type Inspect = NonNullable<TargetPlugin['inspect']>;

interface Configured {
  readonly name: string;
  readonly type: string;
  readonly loaded: LoadedConfig;
}

async function ofTarget(configured: Configured, inspect: Inspect, signal: AbortSignal): Promise<Examined> {
  const { name, type, loaded } = configured;
  const { settings, problems, warnings } = resolveTarget(loaded, name);
  const told = problems.map(formatProblem);
  const { config, ...supplied }: LookedAt = settings ?? asWritten(configured);
  const installation = await inspect(
    {
      directory: loaded.directory,
      operatorEnvironment: loaded.environment,
      target: {
        name,
        config,
        environment: processEnvironment(loaded.environment, supplied),
        ...given({ env: supplied.env }),
      },
    },
    signal,
  );
  return {
    target: name,
    type,
    ...installation,
    problems: [...installation.problems, ...told],
    notes: [...installation.notes, ...warnings.map(formatProblem)],
  };
}

/** Reads only the program of a target, because the target itself may be invalid. */
function asWritten({ name, loaded }: Configured): LookedAt {
  const entry = loaded.written.get(name);
  const parts = entry === undefined ? undefined : targetParts(entry, loaded.plugins).parts;
  const { env, passEnv } = parts?.common ?? {};
  return {
    config: parts?.own ?? {},
    ...given({ env, passEnv }),
  };
}

type LookedAt = Pick<TargetSettings, 'env' | 'passEnv'> & { readonly config: unknown };

interface Inspectable {
  readonly type: string;
  readonly inspect: Inspect;
}

async function chosen(types: readonly string[]): Promise<readonly Inspectable[]> {
  const known: readonly Inspectable[] = [...(await allTargets()).values()].flatMap(({ type, inspect }) =>
    inspect === undefined ? [] : [{ type, inspect }],
  );
  const names = known.map(({ type }) => type);
  for (const type of types) {
    if (names.includes(type)) continue;
    throw new AssayError('unknown-target-type', `target type ${type} runs no local program`, {
      stage: 'authoring',
      hint: didYouMean(type, names) ?? `types with a program: ${names.join(', ')}`,
    });
  }
  return types.length === 0 ? known : known.filter(({ type }) => types.includes(type));
}

function described(examined: Examined): string {
  const { target, type, program, path, version, problems, notes } = examined;
  const what = [program, version].filter((word) => word !== undefined && word !== '').join(' ');
  const name = target === undefined ? type : `${target} (${type})`;
  const lines = [
    `${name}: ${stateOf(examined)}${what === '' ? '' : ` (${what})`}`,
    ...(path === undefined ? [] : [`  at ${path}`]),
    ...problems.map((problem) => `  ! ${problem}`),
    ...notes.map((note) => `  - ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

function stateOf({ path, problems }: Installation): string {
  if (problems.length > 0) return path === undefined ? 'not installed' : 'needs attention';
  return path === undefined ? 'not checked' : 'ok';
}
