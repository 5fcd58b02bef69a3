/** How often it is checked who is on an open feed, in milliseconds. */
const CHECK_MS = 15_000;

/** Ends a feed when its reader may no longer have it: a revoked token holds no feed open. Gives what ends the checks. */
export function endWhenRefused(isAllowed: () => Promise<boolean>, closed: AbortController): () => void {
  let timer: NodeJS.Timeout;
  const later = () => {
    timer = setTimeout(() => void check(), CHECK_MS);
    timer.unref();
  };
  const check = async () => {
    // A database that is gone for a moment ends no feed.
    if (await isAllowed().catch(() => true)) later();
    else closed.abort();
  };
  later();
  return () => clearTimeout(timer);
}
