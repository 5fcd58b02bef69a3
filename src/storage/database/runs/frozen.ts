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
  const keep = (page: readonly FrozenRow[]) =>
    againAfterConflict(() =>
      database.transaction(async (queries) => {
        await underLease(queries, id, lease);
        await keepCopies(queries, id, { copies: page, sql: INSERT_NEW });
      }),
    );
  const { add, rest } = pages(redaction);
  for await (const copy of copies) {
    const page = add(copy);
    if (page !== undefined) await keep(page);
  }
  const last = rest();
  if (last.length > 0) await keep(last);
}

/** The same in the transaction that begins the run. The next copies are made while the database writes the last ones. */
export async function beginFrozen(
  queries: Queries,
  run: string,
  { copies, redaction }: { readonly copies: Iterable<Frozen>; readonly redaction: Redaction },
): Promise<void> {
  const { add, rest } = pages(redaction);
  const { write, end } = writeBehind();
  const known = new Set<string>();
  for (const copy of copies) {
    // To have the database ask that takes a quarter of its time for these rows.
    if (known.has(copy.digest)) continue;
    known.add(copy.digest);
    const page = add(copy);
    if (page !== undefined) await write(() => keepCopies(queries, run, { copies: page, sql: INSERT }));
  }
  const last = rest();
  await write(() => keepCopies(queries, run, { copies: last, sql: INSERT }));
  await end();
}

/** A copy as its row has it. */
interface FrozenRow extends Pick<Frozen, 'digest' | 'kind'>, Omit<WrittenBody, 'part'> {
  readonly part: WrittenBody['part'] | undefined;
}

/** Collects copies until there are enough for a query. */
function pages(redaction: Redaction) {
  const write = bodyWriter(redaction);
  let waiting: FrozenRow[] = [];
  let characters = 0;
  const rest = (): readonly FrozenRow[] => {
    const page = waiting;
    waiting = [];
    characters = 0;
    return page;
  };
  return {
    /** A page that is full. */
    add({ digest, kind, body: whole }: Frozen): readonly FrozenRow[] | undefined {
      const { content, body, part } = write(whole);
      waiting.push({ digest, kind, content, body, part });
      characters += body.length;
      return waiting.length < MOST_COPIES && characters < MOST_CHARACTERS ? undefined : rest();
    },
    rest,
  };
}

interface CopyPage {
  readonly copies: readonly FrozenRow[];
  /** `INSERT`, or `INSERT_NEW` where the run may have some of them. */
  readonly sql: string;
}

async function keepCopies({ query }: Queries, run: string, { copies, sql }: CopyPage): Promise<void> {
  if (copies.length === 0) return;
  const parts = new Map(
    copies.flatMap(({ part }) => (part === undefined ? [] : [[part.content, part.body]])),
  );
  const contents = [...parts.keys()].toSorted();
  const lines = (textOf: (copy: FrozenRow) => string) => copies.map(textOf).join('\n');
  await query(sql, [
    run,
    lines(({ digest }) => digest),
    lines(({ content }) => content),
    lines(({ kind }) => kind),
    lines(({ body }) => body),
    lines(({ part }) => part?.content ?? ''),
    lines(({ part }) => part?.at ?? ''),
    contents.join('\n'),
    contents.map((content) => parts.get(content) ?? '').join('\n'),
  ]);
}

/**
 * Digests, kinds and JSON have no line breaks. All runs insert in one order: two that wait for each other's copy would deadlock. Pruning locks
 * the tables in the order in which this statement names them.
 */
const INSERT = `
  with copy as materialized (
    select digest, content, kind, body, nullif(part, '') as part, nullif(part_at, '') as part_at, place
    from unnest(string_to_array($2::text, E'\\n'), string_to_array($3::text, E'\\n'),
      string_to_array($4::text, E'\\n'), string_to_array($5::text, E'\\n'),
      string_to_array($6::text, E'\\n'), string_to_array($7::text, E'\\n'))
      with ordinality as copy (digest, content, kind, body, part, part_at, place)
  ), kept_parts as (
    insert into frozen_part (content, body)
    select content, body::json
    from unnest(string_to_array($8::text, E'\\n'), string_to_array($9::text, E'\\n')) as part (content, body)
    on conflict do nothing
  ), kept as (
    insert into frozen (digest, content, kind, body, part, part_at)
    select digest, content, kind, body::json, part, part_at from copy
    order by digest collate "C", content collate "C"
    on conflict do nothing
  )
  insert into run_frozen (run_id, digest, content)
  select $1, digest, content from copy order by place`;

const INSERT_NEW = `${INSERT} on conflict do nothing`;

interface KeptCopy extends Readonly<Record<string, unknown>> {
  readonly digest: string;
  readonly kind: Frozen['kind'];
  readonly body: string;
  readonly part: string | null;
  readonly part_at: string | null;
  readonly position: number;
}

/** In the order in which they were kept. */
export async function* readFrozen(
  { database, id }: RunPlace,
  digests?: ReadonlySet<unknown>,
): AsyncGenerator<Frozen> {
  const wanted = digests === undefined ? null : [...digests].filter((digest) => typeof digest === 'string');
  const partOf = partReader(database);
  for (let last: number | undefined = 0; last !== undefined;) {
    const page: readonly KeptCopy[] = await database.query<KeptCopy>(
      `select digest, kind, body, part, part_at, position from run_frozen join frozen using (digest, content)
       where run_id = $1 and position > $2 and ($3::text[] is null or digest = any($3::text[]))
       order by position limit $4`,
      [id, last, wanted, PAGE],
    );
    for (const { digest, kind, body: text, part, part_at: at } of page) {
      const body = JSON.parse(text) as Frozen['body'];
      yield {
        digest,
        kind,
        body: part === null || at === null ? body : withPart(body, at, await partOf(part)),
      };
    }
    last = page.length < PAGE ? undefined : page.at(-1)?.position;
  }
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
