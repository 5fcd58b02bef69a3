import type { SharedLimit, SharedLimits } from '../core/shared-limits.ts';
import type { Hold } from './hold.ts';

/** The limit of one key that other processes know too. */
export interface SharedKey {
  readonly limits: SharedLimits;
  readonly key: string;
}

/** The longest wait for what other processes know, before the first request. */
export const FIRST_HEARD_MS = 2000;

/** What a refusal that another process tells of changes here. */
interface Heeding {
  readonly hold: Hold;
  /** Lowers the limit. */
  cut(): void;
  /** Lets requests start that may. */
  move(): void;
}

/** The refusals of this process, for all others. */
export interface Others {
  /** How often the limit was lowered, as far as this process knows. */
  cuts(): number | undefined;
  tell(refused: {
    readonly isCut: boolean;
    readonly cuts: number | undefined;
    readonly holdMs: number;
  }): void;
}

/** Follows what other processes know of a key. Each refusal lowers the limit of each process once. */
export function openOthers({ limits, key }: SharedKey, { cut, hold, move }: Heeding): Others {
  let known: number | undefined;
  let isOwnTold = false;
  limits.follow(key, ({ cuts, holdMs }: SharedLimit) => {
    if (known === undefined) hold.letGo();
    const isNew = known !== undefined && cuts > known;
    if (isNew && !isOwnTold) cut();
    if (isNew) isOwnTold = false;
    known = Math.max(known ?? 0, cuts);
    hold.hold(holdMs);
    move();
  });
  return {
    cuts: () => known,
    tell({ isCut, ...refused }) {
      isOwnTold ||= isCut;
      limits.tell(key, refused);
    },
  };
}
