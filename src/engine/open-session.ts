import type { Session, Target, World } from '../core/target.ts';
import type { Watch } from './watch.ts';

/** Opens a session. If it opens after its time limit, it is closed immediately. */
export async function openSession(target: Target, world: World, watch: Watch): Promise<Session> {
  const opening = target.open(world, watch.signal);
  try {
    return await watch.bounded(opening);
  } catch (error) {
    opening.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
    throw error;
  }
}
