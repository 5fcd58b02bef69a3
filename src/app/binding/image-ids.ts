import type { SandboxSettings } from '../../core/sandbox.ts';
import { imageNow } from '../../sandboxes/choose-engine.ts';
import type { TargetUse } from './use-targets.ts';
import type { UsedTarget } from './target-pool.ts';

/** How images are looked up. */
export interface ImageSearch {
  /** Absolute folder of the config. */
  readonly directory: string;
  /** `made`: missing images are built or fetched. `present`: only images of this machine are looked up. */
  readonly images: 'made' | 'present';
  /** Ends the search, which then rejects. */
  readonly signal: AbortSignal | undefined;
}

/** Adds to each target in a container the id of its image, or its fault. If there are mistakes, it makes no image. */
export async function withImageIds<Use extends Pick<TargetUse, 'targets' | 'problems'>>(
  use: Use,
  { directory, images, signal }: ImageSearch,
): Promise<Use> {
  const mayMake = images === 'made' && use.problems.length === 0;
  const targets = new Map<string, UsedTarget>();
  for (const [name, used] of use.targets) {
    const { sandbox, operatorEnvironment } = used;
    const isWanted = sandbox?.level === 'container' && (mayMake || !isMade(sandbox));
    const place = { directory, operatorEnvironment };
    const found = isWanted ? await imageNow(sandbox, place, signal) : undefined;
    if (found === undefined) targets.set(name, used);
    else targets.set(name, { ...used, ...('why' in found ? { imageFault: found } : { imageId: found.id }) });
  }
  return { ...use, targets };
}

function isMade({ build, pull }: SandboxSettings): boolean {
  return build !== undefined || pull === true;
}
