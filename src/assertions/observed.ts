const MOST_VALUES = 20;
const LONGEST_VALUE = 200;

/** Observed values of one kind, for messages. */
export interface Observed {
  readonly label: string;
  readonly values: readonly string[];
  /** Shown when there are no values. */
  readonly nothing?: string;
}

/** `[<message>. ]<sentence> Observed <label>: a | b` */
export function failureText(
  sentence: string,
  { label, values, nothing = '(none)' }: Observed,
  message?: string,
): string {
  const own = message === undefined ? '' : `${message.replace(/\.$/, '')}. `;
  return `${own}${sentence} Observed ${label}: ${values.length === 0 ? nothing : listShown(values)}`;
}

/** Joins values; long values and long lists are shortened. */
export function listShown(values: readonly string[]): string {
  const shown = values.slice(0, MOST_VALUES).map(cut);
  const more = values.length - shown.length;
  return `${shown.join(' | ')}${more > 0 ? ` (+${more} more)` : ''}`;
}

function cut(value: string): string {
  return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1)}…` : value;
}
