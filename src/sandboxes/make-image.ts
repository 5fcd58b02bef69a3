import { dirname, resolve } from 'node:path';

import type { SandboxPlace } from '../core/sandbox.ts';
import { possibleLimits } from './container-arguments.ts';
import { askEngine, type Engine } from './engine.ts';
import type { Unavailable } from './unavailable.ts';

/** Images may be large, and programs that a Dockerfile installs too. */
const LONGEST_MS = 30 * 60_000;

/** Where an image is looked for, and what ends that. */
export interface Choosing {
  readonly place: SandboxPlace;
  readonly signal: AbortSignal | undefined;
}

/** Builds an image from a Dockerfile, in its folder. The engine keeps what did not change. Returns its id. */
export async function builtImage(
  engine: Engine,
  build: string,
  { place: { directory }, signal }: Choosing,
): Promise<{ readonly name: string } | Unavailable> {
  const file = resolve(directory, build);
  const limits = engine.kind === 'podman' ? possibleLimits() : [];
  const args = ['build', '--quiet', ...limits, '--file', file, dirname(file)];
  const { isDone, said, problem } = await askEngine(engine, args, { timeoutMs: LONGEST_MS, signal });
  const name = said.split('\n').at(-1) ?? '';
  if (isDone && name !== '') return { name };
  return {
    why: `${engine.kind} could not build ${build}: ${problem}`,
    hint: `run \`${engine.kind} build --file ${build} ${dirname(build)}\` to see all of its output`,
  };
}

/** Fetches an image from its registry; undefined when that worked. */
export async function fetchedImage(
  engine: Engine,
  image: string,
  signal: AbortSignal | undefined,
): Promise<Unavailable | undefined> {
  const asking = { timeoutMs: LONGEST_MS, signal };
  const { isDone, problem } = await askEngine(engine, ['pull', '--quiet', image], asking);
  if (isDone) return undefined;
  return {
    why: `${engine.kind} could not fetch ${image}: ${problem}`,
    hint: `check the name of the image and your network. If the registry needs an account: \`${engine.kind} login\``,
  };
}
