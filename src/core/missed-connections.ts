/** A connection that a program in a sandbox asked for and did not get. */
export interface MissedConnection {
  /** Host name or address, without the port. */
  readonly host: string;
  /** `refused`: the settings do not allow it. `unreachable`: they do, but it could not be opened. */
  readonly why: 'refused' | 'unreachable';
}

/** The number of missed connections by host. Hosts after the first 100 are counted together, as `...`. */
export type MissedConnections = Readonly<
  Partial<Record<MissedConnection['why'], Readonly<Record<string, number>>>>
>;

/** Adds one connection, or several to the same host. */
export function addMissed(
  counts: MissedConnections,
  { host, why }: MissedConnection,
  times = 1,
): MissedConnections {
  const ofWhy = counts[why] ?? {};
  const isCounted = Object.hasOwn(ofWhy, host) || Object.keys(ofWhy).length < MOST_HOSTS;
  const name = isCounted ? host : '...';
  const before = Object.hasOwn(ofWhy, name) ? (ofWhy[name] ?? 0) : 0;
  return { ...counts, [why]: { ...ofWhy, [name]: before + times } };
}

/** The sum of the counts of several attempts. */
export function sumOfMissed(all: readonly MissedConnections[]): MissedConnections {
  const [first = {}, ...others] = all;
  let sum = first;
  for (const counts of others) {
    for (const why of ['refused', 'unreachable'] as const) {
      for (const [host, times] of Object.entries(counts[why] ?? {}))
        sum = addMissed(sum, { host, why }, times);
    }
  }
  return sum;
}

const MOST_HOSTS = 100;
