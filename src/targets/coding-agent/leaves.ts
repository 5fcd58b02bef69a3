import type { LeavesOf } from './command-reads.ts';
import { plainLeaves } from './plain-leaves.ts';

/** How agents' commands are taken apart. */
export const leavesForAgents: LeavesOf = plainLeaves;
