/** What the line of a trial's event begins with. */
export interface TrialEventHead {
  readonly sequence: number;
  readonly trial: string;
  readonly type: string;
}

/** Of a line as the log writes it, without reading the rest; undefined: no event of a trial, or written otherwise. */
export function trialEventHead(line: Buffer): TrialEventHead | undefined {
  // Most keys are short; the line of a long one is read whole.
  const found = OF_A_TRIAL.exec(line.toString('latin1', 0, 300)) ?? OF_A_TRIAL.exec(line.toString('utf8'));
  if (found === null) return undefined;
  const [, sequence, trial = '', type = ''] = found;
  // A copy: a part of a text keeps the whole text in memory.
  return { sequence: Number(sequence), trial: JSON.parse(`"${trial}"`) as string, type };
}

/** In ids of cases there may be quotes. */
const OF_A_TRIAL =
  /^\{"sequence":(\d+),"at":"[^"]*","trial":"((?:[^"\\]|\\.)*)",(?:"attempt":\d+,)?"fact":\{"type":"([a-z-]+)"/;
