import type { SandboxSettings } from '../../core/sandbox.ts';
import { imageNow } from '../../sandboxes/choose-engine.ts';
import type { TargetUse } from './use-targets.ts';
import type { UsedTarget } from './target-pool.ts';

/**
 * The targets with the ids of their images. `made`: missing images are built or fetched. `present`: only images of
 * this machine are looked up. With mistakes nothing runs, so no image is made.
 */
export async function withImageIds<Use extends Pick<TargetUse, 'targets' | 'problems'>>(
  use: Use,
  directory: string,
  images: 'made' | 'present',
): Promise<Use> {
  const mayMake = images === 'made' && use.problems.length === 0;
  const targets = new Map<string, UsedTarget>();
  for (const [name, used] of use.targets) {
    const { sandbox, operatorEnvironment } = used;
    const isWanted = sandbox?.level === 'container' && (mayMake || !isMade(sandbox));
    const found = isWanted ? await imageNow(sandbox, { directory, operatorEnvironment }) : undefined;
    targets.set(name, found === undefined || 'why' in found ? used : { ...used, imageId: found.id });
  }
  return { ...use, targets };
}

function isMade({ build, pull }: SandboxSettings): boolean {
  return build !== undefined || pull === true;
}
