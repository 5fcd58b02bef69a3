import type { Surroundings } from '../surroundings.ts';
import type { Hands } from './hands.ts';
import { ownHands } from './own-hands.ts';
import { workersHands } from './workers-hands.ts';

/** Who runs the trials of a command or a server. */
export function handsOf({ hands }: Pick<Surroundings, 'hands'>): Hands {
  return hands === 'workers' ? workersHands : ownHands;
}
