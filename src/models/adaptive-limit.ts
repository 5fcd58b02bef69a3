/** Requests at once before anybody complained; more than runs have trials at once. */
const FIRST_LIMIT = 64;
const HIGHEST_LIMIT = 1_000;

/** How many requests may be under way: grows by one a round of answers, and halves when it was too much. */
export interface AdaptiveLimit {
  value(): number;
  hasRoom(): boolean;
  /** A request starts; the result is called once, when it is over. */
  start(): (isThrottled: boolean) => void;
}

export function adaptiveLimit(first: number = FIRST_LIMIT): AdaptiveLimit {
  let limit = first;
  let underWay = 0;
  let started = 0;
  let lastOfBeforeCut = 0;
  const value = (): number => Math.floor(limit);
  return {
    value,
    hasRoom: () => underWay < value(),
    start() {
      const number = ++started;
      underWay += 1;
      return (isThrottled) => {
        const wasFull = underWay >= value();
        // What was sent before the last cut says nothing about the limit of now.
        if (isThrottled && number > lastOfBeforeCut) {
          limit = Math.max(1, Math.floor(Math.min(limit, underWay) / 2));
          lastOfBeforeCut = started;
        } else if (!isThrottled && wasFull) {
          limit = Math.min(HIGHEST_LIMIT, limit + 1 / limit);
        }
        underWay -= 1;
      };
    },
  };
}
