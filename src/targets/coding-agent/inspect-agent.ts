import { randomUUID } from 'node:crypto';

import type { Installation } from '../../core/plugin.ts';
import { findProgram } from '../../lib/process/find-program.ts';
import { allowListed } from '../../lib/process/environment.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { runProcess, type ProcessResult } from '../../lib/process/run-process.ts';
import { textEnd } from '../text-end.ts';
import type { AgentAdapter } from './adapter.ts';
import { isOnPath } from './companion.ts';
import { agentEnvironment, ATTEMPT_MARKER } from './environment.ts';
import { privateHome } from './private-home.ts';
import { isOfOtherMajor, VERSION_TIMEOUT_MS, versionIn } from './program.ts';

type Inspected = Pick<
  AgentAdapter,
  'programs' | 'install' | 'triedVersions' | 'credentials' | 'companion' | 'isolation' | 'homeFiles' | 'type'
>;

interface Place {
  readonly directory: string;
  /** Of whoever asks. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What this machine has of an agent: its program and version, what it lacks, which of its credentials are set. */
export async function inspectAgent(
  adapter: Inspected,
  place: Place,
  signal: AbortSignal,
): Promise<Installation> {
  const { programs, install, triedVersions } = adapter;
  const [program = ''] = programs;
  const found = await firstFound(programs, place);
  const about = { program: found?.name ?? program, triedVersions, notes: credentialNotes(adapter, place) };
  if (programs.length === 0) return { ...about, problems: ['it has no usual name: write `command`'] };
  if (found === undefined) return { ...about, problems: [`not found on PATH; ${install}`] };
  const asked = await askVersion(adapter, { path: found.path, place }, signal);
  return {
    ...about,
    path: found.path,
    ...('version' in asked ? { version: asked.version } : {}),
    problems: [...('problem' in asked ? [asked.problem] : []), ...companionProblems(adapter, place)],
    notes: [...('version' in asked ? versionNotes(asked.version, triedVersions) : []), ...about.notes],
  };
}

async function firstFound(programs: readonly string[], { directory, environment }: Place) {
  for (const name of programs) {
    const path = await findProgram(name, { cwd: directory, env: environment });
    if (path !== undefined) return { name, path };
  }
  return undefined;
}

interface Asked {
  readonly path: string;
  readonly place: Place;
}

/** In a private home, as in a trial: a look must not leave settings behind. */
async function askVersion(
  adapter: Inspected,
  { path, place }: Asked,
  signal: AbortSignal,
): Promise<{ readonly version: string } | { readonly problem: string }> {
  await using home = await privateHome({ adapter });
  const env = agentEnvironment({
    adapter,
    services: { environment: allowListed(place.environment), operatorEnvironment: place.environment },
    folders: home.folders,
    inheritConfig: false,
    launched: {},
  });
  const result = await runProcess(
    {
      command: [path, '--version'],
      cwd: home.folders.temporary,
      env,
      timeoutMs: VERSION_TIMEOUT_MS,
      graceMs: 1_000,
      drainMs: 500,
      maxOutputBytes: 2 ** 16,
      marker: { name: ATTEMPT_MARKER, value: randomUUID() },
    },
    signal,
  );
  signal.throwIfAborted();
  const version = versionIn(result);
  if (result.outcome === 'exited' && version !== undefined) return { version };
  return { problem: `${path} --version ${whyNoVersion(result)}` };
}

function whyNoVersion(result: ProcessResult): string {
  if (result.outcome === 'spawn-failed') return `could not be started: ${result.failure.message}`;
  if (result.outcome === 'timeout') return `said nothing for ${VERSION_TIMEOUT_MS / 1000} s`;
  const said = textEnd(decodeUtf8(result.stderr)).trim().split('\n').at(-1) ?? '';
  const how = result.exitCode === 0 ? 'tells no version' : `failed with ${result.exitCode ?? result.signal}`;
  return said === '' ? how : `${how}: ${said}`;
}

function companionProblems({ companion }: Inspected, { directory, environment }: Place): readonly string[] {
  if (companion === undefined || isOnPath(companion.program, { cwd: directory, env: environment })) return [];
  const { program, tools, install } = companion;
  return [`${program} is not on PATH, and without it ${tools} fail in silence; ${install}`];
}

function versionNotes(version: string, tried: readonly string[]): readonly string[] {
  if (tried.length === 0 || tried.includes(version)) return [];
  const recorded = `no recording of version ${version} is known; known are ${tried.join(', ')}`;
  if (!isOfOtherMajor(version, tried)) return [recorded];
  return [`${recorded}: of another major version, it may print what assay does not know`];
}

/** A key that is set reaches the agent only when its target says so. */
function credentialNotes({ credentials }: Inspected, { environment }: Place): readonly string[] {
  if (credentials.length === 0) return [];
  const set = credentials.filter((name) => (environment[name] ?? '') !== '');
  if (set.length > 0) return [`${set.join(', ')} set: pass it on with passEnv: [${set.join(', ')}]`];
  return [`none of ${credentials.join(', ')} is set`];
}
