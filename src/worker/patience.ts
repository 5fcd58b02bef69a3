/** How long a worker leaves trials to others that are less busy. They may have been killed a moment ago. */
export interface Patience {
  /** Called with each look: whether trials wait that are left to others. Gives whether it takes them now. */
  isOver(leavesSome: boolean): boolean;
}

export function openPatience(ms: number, now: () => number = () => performance.now()): Patience {
  let since: number | undefined;
  return {
    isOver(leavesSome) {
      since = leavesSome ? (since ?? now()) : undefined;
      if (since === undefined || now() - since < ms) return false;
      since = undefined;
      return true;
    },
  };
}
