/** Default date formats; formats in which day and month could be confused are left out. */
export const DEFAULT_DATE_FORMATS: readonly string[] = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'D MMM YYYY',
  'D-MMM-YYYY',
  'D MMMM YYYY',
  'MMM D, YYYY',
  'MMMM D, YYYY',
];

/**
 * Reads a calendar date from a text with the first matching format, and returns `YYYY-MM-DD`, or undefined. A time of
 * day and its time zone are ignored: the date is the written one.
 */
export function calendarDate(text: string, formats: readonly string[]): string | undefined {
  for (const format of formats) {
    const groups = patternOf(format).exec(text.trim())?.groups;
    const date = groups === undefined ? undefined : dateOf(groups);
    if (date !== undefined) return date;
  }
  return undefined;
}

/** Why a format is invalid, or undefined. */
export function formatProblem(format: string): string | undefined {
  const tokens: readonly string[] = format.match(TOKEN) ?? [];
  const letters = ['Y', 'M', 'D'].map((letter) => tokens.filter((token) => token.startsWith(letter)).length);
  return letters.every((count) => count === 1)
    ? undefined
    : 'a date format needs one year (YYYY or YY), one month (MMMM, MMM, MM or M) and one day (DD or D)';
}

const TOKEN = /YYYY|YY|MMMM|MMM|MM|M|DD|D/g;

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

const PIECES: Readonly<Record<string, string>> = {
  YYYY: String.raw`(?<year>\d{4})`,
  YY: String.raw`(?<shortYear>\d{2})`,
  MMMM: `(?<name>${MONTHS.join('|')})`,
  MMM: `(?<name>${MONTHS.map((month) => month.slice(0, 3)).join('|')}|sept)`,
  MM: String.raw`(?<month>\d{2})`,
  M: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d{2})`,
  D: String.raw`(?<day>\d{1,2})`,
};

const TIME = String.raw`(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]m)?\s*(?:z|utc|gmt|[-+]\d{2}:?(?:\d{2})?)?)?`;

const patterns = new Map<string, RegExp>();

function patternOf(format: string): RegExp {
  const known = patterns.get(format);
  if (known !== undefined) return known;
  let source = '';
  let end = 0;
  for (const match of format.matchAll(TOKEN)) {
    source += literal(format.slice(end, match.index)) + (PIECES[match[0]] ?? '');
    end = match.index + match[0].length;
  }
  const pattern = new RegExp(`^${source}${literal(format.slice(end))}${TIME}$`, 'i');
  if (patterns.size < 200) patterns.set(format, pattern);
  return pattern;
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function dateOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { year, shortYear = '', month, name, day } = groups;
  const fullYear = year ?? (Number(shortYear) < 70 ? `20${shortYear}` : `19${shortYear}`);
  const monthNumber =
    name === undefined
      ? Number(month)
      : MONTHS.findIndex((known) => known.startsWith(name.toLowerCase().slice(0, 3))) + 1;
  const dayNumber = Number(day);
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(Number(fullYear), monthNumber - 1, dayNumber);
  const exists = date.getUTCMonth() === monthNumber - 1 && date.getUTCDate() === dayNumber;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}
