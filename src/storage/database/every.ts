/** Repeats the work, but never twice at the same time, because calls to a hanging database would pile up. A failure is followed by another try. */
export function every(ms: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isGoingOn = false;
  const again = () => {
    if (isGoingOn) return;
    isGoingOn = true;
    void work()
      .catch(() => undefined)
      .finally(() => (isGoingOn = false));
  };
  return setInterval(again, ms);
}
