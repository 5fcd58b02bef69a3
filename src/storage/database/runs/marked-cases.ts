import type { TrialMark } from '../../../core/run-index.ts';
import type { RunPlace } from './run-room.ts';

/** Trials of one query. */
const PART = 2000;

/** The trials of at most `limit` cases, cases by their smallest number, then by repetition. */
export async function markedCases(
  { database, id }: Pick<RunPlace, 'database' | 'id'>,
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<readonly TrialMark[]> {
  const seen = new Set<string>();
  const found: TrialMark[][] = [];
  for (let last: number | undefined = after; last !== undefined && found.length < limit;) {
    const part: readonly { number: number; key: string }[] = await database.query(NEXT, [id, last, PART]);
    const cases = [...new Set(part.map(({ key }) => caseIn(key)))].filter((each) => !seen.has(each));
    for (const each of cases) seen.add(each);
    for (let at = 0; at < cases.length && found.length < limit;) {
      const wanted = cases.slice(at, at + limit - found.length);
      at += wanted.length;
      const marks = await marksOf({ database, id }, wanted);
      // A case that began before the page stands on an earlier one.
      found.push(...marks.filter(([mark]) => (mark?.first ?? 0) > after));
    }
    last = part.length === PART ? part.at(-1)?.number : undefined;
  }
  return found.flat();
}

const NEXT = `select number, key from trial
  where run_id = $1 and ended_sequence is not null and number > $2 order by number limit $3`;

/** The beginning of the keys of a case. */
function caseIn(key: string): string {
  return key.split('/', 2).join('/');
}

type MarkRow = Omit<TrialMark, 'first'> & { readonly beginning: string };

/** The marks of each case, in the order of their smallest numbers. */
async function marksOf(
  { database, id }: Pick<RunPlace, 'database' | 'id'>,
  cases: readonly string[],
): Promise<readonly TrialMark[][]> {
  const rows = await database.query<MarkRow>(MARKS, [id, cases]);
  const groups = new Map<string, MarkRow[]>();
  for (const row of rows) {
    const group = groups.get(row.beginning) ?? [];
    groups.set(row.beginning, group);
    group.push(row);
  }
  return [...groups.values()]
    .map((group) => {
      const first = group.reduce((least, { number }) => Math.min(least, number), Infinity);
      return group.map((row): TrialMark => {
        const { beginning: _, ...mark } = row;
        return { ...mark, first };
      });
    })
    .toSorted(([left], [right]) => (left?.first ?? 0) - (right?.first ?? 0));
}

/** Keys of a case are in one range of their index: `0` follows `/`. `offset 0` has each range looked up by itself. */
const MARKS = `
  select beginning, number, suite, case_key as "caseId", case_name as "caseName", target, repetition, verdict, status, score
  from unnest($2::text[]) as beginning, lateral (
    select * from trial where run_id = $1 and ended_sequence is not null
      and key >= (beginning || '/') collate "C" and key < (beginning || '0') collate "C"
    order by key offset 0
  ) as trial order by repetition, number`;
