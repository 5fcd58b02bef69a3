import type { SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { containerFault } from './check-container.ts';
import { containerSandbox } from './container.ts';
import { enginesOf } from './engine.ts';
import { removeLeftImages } from './left-containers.ts';
import { remoteFault } from './remote-engine.ts';
import { selfCheckImage } from './self-check-image.ts';
import { trySandbox, type Tried } from './try-sandbox.ts';
import { NO_ENGINE, type Unavailable } from './unavailable.ts';

/** Runs all probes in a container, with the first engine that works. No image is needed. */
export async function tryContainer(
  settings: Pick<SandboxSettings, 'engine' | 'engineArgs'>,
  place: SandboxPlace,
  signal: AbortSignal,
): Promise<Tried | Unavailable> {
  const engines = await enginesOf(settings, place);
  let fault: Unavailable | undefined;
  for (const engine of engines) {
    const remote = await remoteFault(engine, signal);
    fault ??= remote;
    if (remote !== undefined) continue;
    await removeLeftImages(engine, signal);
    await using image = await selfCheckImage(engine);
    const { name, mount, made } = image;
    const chosen = { ...settings, engine: engine.kind, image: name } as const;
    const own = { ...chosen, mount, mountAgent: true, network: 'none' } as const;
    const found = made.isDone
      ? await containerFault({ settings: own, place, isServer: false }, signal)
      : { why: `${engine.kind} does not work: ${made.problem}`, hint: `run \`${engine.kind} info\`` };
    if (found === undefined) {
      await using sandbox = containerSandbox(own, place);
      return await trySandbox(sandbox, place, signal);
    }
    fault ??= found;
  }
  return fault ?? { why: `${settings.engine ?? 'podman or docker'} is not installed`, hint: NO_ENGINE };
}
