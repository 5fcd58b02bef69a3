import { imageNow } from '../../sandboxes/choose-engine.ts';
import type { TargetUse } from './use-targets.ts';
import type { UsedTarget } from './target-pool.ts';

/** The targets with the ids of their images, as far as this machine has them. */
export async function withImageIds<Use extends Pick<TargetUse, 'targets'>>(
  use: Use,
  directory: string,
): Promise<Use> {
  const targets = new Map<string, UsedTarget>();
  for (const [name, used] of use.targets) {
    const { sandbox, operatorEnvironment } = used;
    const found =
      sandbox?.level === 'container'
        ? await imageNow(sandbox, { directory, operatorEnvironment })
        : undefined;
    targets.set(name, found === undefined || 'why' in found ? used : { ...used, imageId: found.id });
  }
  return { ...use, targets };
}
