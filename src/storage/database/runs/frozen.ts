import type { Frozen } from '../../../core/run.ts';
import type { Redaction } from '../../runs/redaction.ts';
import type { Queries } from '../database.ts';
import { againAfterConflict } from '../written.ts';
import { writeBehind } from '../write-behind.ts';
import { bodyWriter, withPart, type WrittenBody } from './frozen-body.ts';
import { underLease } from './lease.ts';
import type { RunPlace } from './run-room.ts';

/** Copies of one query that reads, which sorts those of the run. */
const PAGE = 2000;

/** Copies of one query that writes, and about how many characters they may have. */
const MOST_COPIES = 5000;
const MOST_CHARACTERS = 1_000_000;

/** Keeps copies that the run does not have yet, under its lease; the first one under each digest stays. */
export async function keepFrozen(
  { database, id }: RunPlace,
  copies: Iterable<Frozen> | AsyncIterable<Frozen>,
  { redaction, lease }: { readonly redaction: Redaction; readonly lease: string },
): Promise<void> {
  const keep = (page: CopyColumns) =>
    againAfterConflict(() =>
      database.transaction(async (queries) => {
        await underLease(queries, id, lease);
        await queries.query(INSERT_NEW, [id, ...page]);
      }),
    );
  const { add, rest } = pages(redaction);
  const waiting = await waitingDigests(database, id);
  for await (const copy of copies) {
    if (waiting.has(copy.digest)) continue;
    const page = add(copy);
    if (page !== undefined) await keep(page);
  }
  const last = rest();
  if (last !== undefined) await keep(last);
}

/** The digests of copies of a run that have no rows yet. */
async function waitingDigests({ query }: Queries, run: string): Promise<ReadonlySet<string>> {
  const waiting = await query<{ digests: string }>('select digests from waiting_copies where run_id = $1', [
    run,
  ]);
  return new Set(waiting.flatMap(({ digests }) => digests.split('\n')));
}

/**
 * The same in the transaction that begins the run. If there are more than one page of them, they only wait there for
 * `fillCopies`. The next copies are made while the database writes the last ones.
 */
export async function beginFrozen(
  queries: Queries,
  run: string,
  { copies, redaction }: { readonly copies: Iterable<Frozen>; readonly redaction: Redaction },
): Promise<void> {
  const { add, rest } = pages(redaction);
  const { write, end } = writeBehind();
  let written = 0;
  const wait = (page: CopyColumns) => {
    const number = (written += 1);
    return write(() => queries.query(INSERT_WAITING, [run, ...page, number]));
  };
  for (const copy of copies) {
    const page = add(copy);
    if (page !== undefined) await wait(page);
  }
  const last = rest();
  if (last !== undefined && written === 0) await queries.query(INSERT, [run, ...last]);
  else if (last !== undefined) await wait(last);
  await end();
}

/**
 * Gives waiting copies of a run their rows. Several processes may do that at once; each page is kept by one of them.
 * `wanted`: only pages with one of these digests; absent: all.
 */
export async function fillCopies(database: Queries, run: string, wanted?: readonly string[]): Promise<void> {
  if (wanted?.length === 0) return;
  for (;;) {
    const [waits] = await database.query<{ page: number | null }>(NEXT_PAGE, [run, wanted ?? null]);
    if (waits?.page == null) return;
    const { page } = waits;
    await againAfterConflict(() => database.query(INSERT_WAITED, [run, page]));
  }
}

/** Digests have no special characters. */
const NEXT_PAGE = `
  select min(page) as page from waiting_copies where run_id = $1
    and ($2::text[] is null or exists (select from unnest($2::text[]) as wanted where strpos(digests, wanted) > 0))`;

/** Copies as their rows have them, column by column. */
type CopyColumns = readonly string[];

/** Collects copies until there are enough for a query. */
function pages(redaction: Redaction) {
  const write = bodyWriter(redaction);
  let copies: Frozen[] = [];
  let bodies: WrittenBody[] = [];
  let characters = 0;
  /** Undefined: no copies wait. */
  const rest = (): CopyColumns | undefined => {
    if (copies.length === 0) return undefined;
    const page = columnsOf(copies, bodies, redaction);
    copies = [];
    bodies = [];
    characters = 0;
    return page;
  };
  return {
    /** A page that is full. */
    add(copy: Frozen): CopyColumns | undefined {
      const written = write(copy);
      copies.push(copy);
      bodies.push(written);
      characters += written.body.length;
      return copies.length < MOST_COPIES && characters < MOST_CHARACTERS ? undefined : rest();
    },
    rest,
  };
}

/**
 * The columns of a page, in the order of `COLUMNS`. Digests, kinds and JSON have no line breaks. One look for secrets
 * at all bodies takes less time than one at each: most pages have none.
 */
function columnsOf(
  copies: readonly Frozen[],
  written: readonly WrittenBody[],
  redaction: Redaction,
): CopyColumns {
  const joined = written.map(({ body }) => body).join('\n');
  const clean = redaction.mayTouch(joined) ? cleaned(copies, written, redaction) : undefined;
  const bodies = clean ?? written;
  const parts = new Map<string, string>();
  for (const { part } of bodies) if (part !== undefined) parts.set(part.content, part.body);
  const contents = [...parts.keys()].toSorted();
  return [
    copies.map(({ digest }) => digest).join('\n'),
    copies.map(({ kind }) => kind).join('\n'),
    clean === undefined ? joined : clean.map(({ body }) => body).join('\n'),
    bodies.map(({ part }) => part?.content ?? '').join('\n'),
    bodies.map(({ part }) => part?.at ?? '').join('\n'),
    contents.join('\n'),
    contents.map((content) => parts.get(content) ?? '').join('\n'),
  ];
}

function cleaned(
  copies: readonly Frozen[],
  written: readonly WrittenBody[],
  redaction: Redaction,
): readonly WrittenBody[] {
  return written.map((each, index) =>
    redaction.mayTouch(each.body)
      ? { body: JSON.stringify(redaction.json(copies[index]?.body ?? null)) }
      : each,
  );
}

/** SQL of `PART_MARK`. */
const MARK = `E'\\x01'`;

const COLUMNS = 'digests, kinds, bodies, parts, part_places, part_contents, part_bodies';

/**
 * All runs insert in one order: two that wait for each other's copy would deadlock. Pruning locks the tables in the
 * order in which this statement names them. `page`: SQL of a row with `COLUMNS`.
 */
const insertFrom = (page: string) => `
  with page as materialized (${page}), part as materialized (
    select content, body
    from page, unnest(string_to_array(part_contents, E'\\n'), string_to_array(part_bodies, E'\\n'))
      as part (content, body)
  ), copy as materialized (
    select digest, encode(sha256(convert_to(replace(copy.body, ${MARK}, coalesce(part.body, '')), 'UTF8')), 'hex') as content,
      kind, replace(copy.body, ${MARK}, 'null') as body, part.content as part, nullif(part_at, '') as part_at, place
    from page, unnest(string_to_array(digests, E'\\n'), string_to_array(kinds, E'\\n'),
      string_to_array(bodies, E'\\n'), string_to_array(parts, E'\\n'), string_to_array(part_places, E'\\n'))
      with ordinality as copy (digest, kind, body, part, part_at, place)
    left join part on part.content = copy.part
  ), kept_parts as (
    insert into frozen_part (content, body)
    select content, body::json from part
    on conflict do nothing
  ), kept as (
    insert into frozen (digest, content, kind, body, part, part_at)
    select digest, content, kind, body::json, part, part_at from copy
    order by digest collate "C", content collate "C"
    on conflict do nothing
  )
  insert into run_frozen (run_id, digest, content)
  select $1, digest, content from copy order by place`;

const INSERT = insertFrom(`select * from
  (values ($2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text)) as page (${COLUMNS})`);

const INSERT_NEW = `${INSERT} on conflict do nothing`;

const INSERT_WAITING = `insert into waiting_copies (run_id, ${COLUMNS}, page)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** A process that comes second waits for the page, and finds it gone. */
const INSERT_WAITED = insertFrom(`delete from waiting_copies where run_id = $1
  and page = $2::int returning ${COLUMNS}`);

interface KeptCopy extends Readonly<Record<string, unknown>> {
  readonly digest: string;
  readonly kind: Frozen['kind'];
  readonly body: string;
  readonly part: string | null;
  readonly part_at: string | null;
  readonly position: number;
}

/** In the order in which they were kept. */
export async function* readFrozen(place: RunPlace, digests?: ReadonlySet<unknown>): AsyncGenerator<Frozen> {
  const wanted = digests && [...digests].filter((digest) => typeof digest === 'string');
  const partOf = partReader(place.database);
  for (let page = await firstCopies(place, wanted); ;) {
    for (const { digest, kind, body: text, part, part_at: at } of page) {
      const body = JSON.parse(text) as Frozen['body'];
      yield {
        digest,
        kind,
        body: part === null || at === null ? body : withPart(body, at, await partOf(part)),
      };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    page = await copiesAfter(place, last.position, wanted);
  }
}

/** Digests that are sought in each waiting page. For more of them, all pages are kept. */
const MOST_SOUGHT = 300;

/** The first copies with these digests, or of all. If some of them wait, they get their rows first. */
async function firstCopies(
  place: RunPlace,
  wanted: readonly string[] | undefined,
): Promise<readonly KeptCopy[]> {
  const { database, id } = place;
  if (wanted === undefined || wanted.length > MOST_SOUGHT) await fillCopies(database, id);
  const found = await copiesAfter(place, 0, wanted);
  const known = new Set(found.map(({ digest }) => digest));
  const missing = (wanted ?? []).filter((digest) => !known.has(digest));
  if (missing.length === 0 || found.length === PAGE) return found;
  await fillCopies(database, id, missing);
  return await copiesAfter(place, 0, wanted);
}

function copiesAfter(
  { database, id }: RunPlace,
  position: number,
  wanted: readonly string[] | undefined,
): Promise<readonly KeptCopy[]> {
  return database.query<KeptCopy>(
    `select digest, kind, body, part, part_at, position from run_frozen join frozen using (digest, content)
     where run_id = $1 and position > $2 and ($3::text[] is null or digest = any($3::text[]))
     order by position limit $4`,
    [id, position, wanted ?? null, PAGE],
  );
}

/** Reads each part once. */
function partReader({ query }: Queries): (content: string) => Promise<Frozen['body']> {
  const known = new Map<string, Frozen['body']>();
  return async (content) => {
    const before = known.get(content);
    if (before !== undefined) return before;
    const [row] = await query<{ body: string }>('select body from frozen_part where content = $1', [content]);
    const body = JSON.parse(row?.body ?? 'null') as Frozen['body'];
    known.set(content, body);
    return body;
  };
}
