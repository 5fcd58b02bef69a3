import { timeText } from './times.ts';

/** A moment, exact by pointing at it. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {timeText(at)}
    </time>
  );
}
