import { timeText } from './times.ts';

interface TimeProps {
  readonly at: string;
  /** Moments that stand in the same list. */
  readonly among?: readonly (string | null)[];
}

/** A moment, exact by pointing at it. */
export function Time({ at, among }: TimeProps) {
  return (
    <time dateTime={at} title={at}>
      {timeText(at, among)}
    </time>
  );
}
