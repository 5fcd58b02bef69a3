/** A period of time. Times are in ISO 8601, of any precision. */
interface Period {
  readonly since?: string | undefined;
  /** The period ends before it. */
  readonly until?: string | undefined;
}

/** Whether a run that started at this time belongs to the period. */
export function isWithin(startedAt: string, { since, until }: Period): boolean {
  const at = Date.parse(startedAt);
  return (since === undefined || at >= Date.parse(since)) && (until === undefined || at < Date.parse(until));
}
