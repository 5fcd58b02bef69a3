/** The wait that a server asks for in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as a date. */
export function retryAfterMs(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  now: number,
): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (exact >= 0) return exact;
  const given = headers['retry-after'];
  if (typeof given !== 'string' || given.trim() === '') return undefined;
  const seconds = Number(given);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
