/** A moment as people here write it; with seconds where another one, of `others`, would read the same. */
export function timeText(iso: string, others: readonly (string | null)[] = []): string {
  const short = textOf(iso, 'short');
  const isTwice = others.some((other) => other !== null && other !== iso && textOf(other, 'short') === short);
  return isTwice ? textOf(iso, 'medium') : short;
}

function textOf(iso: string, timeStyle: 'short' | 'medium'): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle });
}
