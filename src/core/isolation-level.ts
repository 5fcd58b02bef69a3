/** How strongly the programs of a target are kept apart from this machine, the weakest first. */
export const ISOLATION_LEVELS = ['process', 'namespace', 'container'] as const;

export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

/** Whether a level is weaker than another one. */
export function isWeaker(level: IsolationLevel, than: IsolationLevel): boolean {
  return ISOLATION_LEVELS.indexOf(level) < ISOLATION_LEVELS.indexOf(than);
}

/** The weakest of the levels; `process` for an empty list. */
export function weakestOf(levels: readonly IsolationLevel[]): IsolationLevel {
  return ISOLATION_LEVELS.find((level) => levels.includes(level)) ?? 'process';
}
