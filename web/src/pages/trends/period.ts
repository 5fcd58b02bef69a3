import { lineText } from '../../parts/cut.ts';

/** The first and the last moment of a period, as an address holds them: a day, or a time in ISO 8601. */
interface Written {
  readonly since?: string;
  readonly until?: string;
}

export interface Period {
  /** As the API takes it. Bounds that are no dates are left out. */
  readonly asked: Written;
  /** What is wrong with a bound. */
  readonly problems: Written;
}

/** Reads a period. A day of `until` belongs to it whole. */
export function periodOf({ since, until }: Written): Period {
  const [from, to] = [momentOf(since, 0), momentOf(until, 1)];
  const problems = {
    ...(since !== undefined && from === undefined ? { since: problemText(since) } : {}),
    ...(until !== undefined && to === undefined ? { until: problemText(until) } : {}),
    ...(from !== undefined && to !== undefined && from >= to
      ? { until: 'The end is before the beginning.' }
      : {}),
  };
  const asked = {
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined || problems.until !== undefined ? {} : { until: to }),
  };
  return { asked, problems };
}

function problemText(written: string): string {
  return `“${lineText(written, 40)}” is not a date. Write it like 2026-03-31.`;
}

/** The day of a bound, for a field; '' if it is no date. */
export function dayOf(written: string | undefined): string {
  return momentOf(written, 0) === undefined ? '' : (written?.slice(0, 10) ?? '');
}

/** The moment in UTC; a day begins in the time zone of the reader. `daysLater`: added to a day. */
function momentOf(written: string | undefined, daysLater: number): string | undefined {
  if (written === undefined) return undefined;
  const [, year, month, day, time] = /^(\d{4})-(\d{2})-(\d{2})(T.+)?$/.exec(written) ?? [];
  if (day === undefined) return undefined;
  const numbers = [Number(year), Number(month) - 1, Number(day)] as const;
  // `Date` takes February 31 for a day in March.
  if (!isDay(...numbers)) return undefined;
  const date = new Date(
    time === undefined ? new Date(numbers[0], numbers[1], numbers[2] + daysLater) : written,
  );
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month, day));
  return year >= 1000 && date.getUTCMonth() === month && date.getUTCDate() === day;
}
