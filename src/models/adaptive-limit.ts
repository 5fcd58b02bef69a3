/** The initial number of concurrent requests: more than runs have concurrent trials. */
const FIRST_LIMIT = 64;
const HIGHEST_LIMIT = 1_000;

/** The number of concurrent requests: grows by one per round of answers, and halves after a rate limit error. */
export interface AdaptiveLimit {
  value(): number;
  hasRoom(): boolean;
  /** A request starts; call the returned function once when it is done. It returns whether the limit was lowered. */
  start(): (isThrottled: boolean) => boolean;
  /** Lowers the limit because another process was refused. */
  cut(): void;
}

export function adaptiveLimit(first: number = FIRST_LIMIT): AdaptiveLimit {
  let limit = first;
  let underWay = 0;
  let started = 0;
  let lastOfBeforeCut = 0;
  const value = (): number => Math.floor(limit);
  const cut = (): void => {
    limit = Math.max(1, Math.floor(Math.min(limit, underWay || limit) / 2));
    lastOfBeforeCut = started;
  };
  return {
    value,
    hasRoom: () => underWay < value(),
    start() {
      const number = ++started;
      underWay += 1;
      return (isThrottled) => {
        const wasFull = underWay >= value();
        // Requests sent before the last cut do not show whether the new limit is too high.
        const isCut = isThrottled && number > lastOfBeforeCut;
        if (isCut) cut();
        else if (!isThrottled && wasFull) limit = Math.min(HIGHEST_LIMIT, limit + 1 / limit);
        underWay -= 1;
        return isCut;
      };
    },
    cut,
  };
}
