/** Which versions of an agent its page shows. */
export interface AgentSearch {
  /** Absent: the newest one. */
  readonly version?: number;
  /** The other one, in the difference. Absent: the one before. */
  readonly from?: number;
}

/** Reads the versions out of an address. */
export function agentSearch(search: Readonly<Record<string, unknown>>): AgentSearch {
  const [version, from] = [versionIn(search['version']), versionIn(search['from'])];
  return { ...(version === undefined ? {} : { version }), ...(from === undefined ? {} : { from }) };
}

function versionIn(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
