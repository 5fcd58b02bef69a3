import { readEvents } from './read-lines.ts';

/** Which ends of trials in a log count. */
export interface Ends {
  /** Whether that event is the end of its trial: the last one, and not dropped since. */
  isLast(trial: string, sequence: number): boolean;
  /** Whether a resumption has dropped what its trial had come to by then. */
  isVoid(trial: string, sequence: number): boolean;
}

/** Reads a log for the ends of its trials; a few numbers a trial are held. */
export async function readEnds(events: string): Promise<Ends> {
  const last = new Map<string, number>();
  const dropped = new Map<string, number>();
  for await (const { trial, sequence, fact } of readEvents(events)) {
    if (fact.type === 'trial-end' && trial !== undefined) last.set(trial, sequence);
    if (fact.type === 'run-resume') for (const key of fact.dropped ?? []) dropped.set(key, sequence);
  }
  const isVoid = (trial: string, sequence: number) => sequence <= (dropped.get(trial) ?? 0);
  return {
    isVoid,
    isLast: (trial, sequence) => last.get(trial) === sequence && !isVoid(trial, sequence),
  };
}
