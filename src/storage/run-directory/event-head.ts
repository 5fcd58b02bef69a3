/** The start of the line of a trial's event. */
export interface TrialEventHead {
  readonly sequence: number;
  readonly trial: string;
  readonly type: string;
}

/** Reads the start of a line. Undefined if it is not an event of a trial, or is formatted differently. */
export function trialEventHead(line: Buffer): TrialEventHead | undefined {
  // Most keys are short. A line with a long key is parsed completely.
  const found = OF_A_TRIAL.exec(line.toString('latin1', 0, 300)) ?? OF_A_TRIAL.exec(line.toString('utf8'));
  if (found === null) return undefined;
  const [, sequence, trial = '', type = ''] = found;
  // Copied, because a substring keeps the whole text in memory.
  return { sequence: Number(sequence), trial: JSON.parse(`"${trial}"`) as string, type };
}

/** Case ids can contain quotes. */
const OF_A_TRIAL =
  /^\{"sequence":(\d+),"at":"[^"]*","trial":"((?:[^"\\]|\\.)*)",(?:"attempt":\d+,)?"fact":\{"type":"([a-z-]+)"/;
