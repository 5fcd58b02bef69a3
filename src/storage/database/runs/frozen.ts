import type { Frozen } from '../../../core/run.ts';
import { sha256 } from '../../../lib/digest.ts';
import type { Redaction } from '../../runs/redaction.ts';
import type { RunPlace } from './run-room.ts';

/** Copies of one query. */
const PAGE = 100;

/** Keeps copies that the run does not have yet; the first one under each digest stays. */
export async function keepFrozen(
  place: RunPlace,
  copies: Iterable<Frozen> | AsyncIterable<Frozen>,
  redaction: Redaction,
): Promise<void> {
  let waiting: Frozen[] = [];
  for await (const copy of copies) {
    waiting.push(copy);
    if (waiting.length < PAGE) continue;
    await keep(place, waiting, redaction);
    waiting = [];
  }
  if (waiting.length > 0) await keep(place, waiting, redaction);
}

async function keep(
  { database, id }: RunPlace,
  copies: readonly Frozen[],
  redaction: Redaction,
): Promise<void> {
  const bodies = copies.map(({ body }) => JSON.stringify(redaction.json(body)));
  const columns = [
    copies.map(({ digest }) => digest),
    bodies.map((body) => sha256(body)),
    copies.map(({ kind }) => kind),
    bodies,
  ];
  await database.transaction(async ({ query }) => {
    // All runs insert in one order: two that wait for each other's copy would deadlock.
    await query(
      `insert into frozen (digest, content, kind, body)
       select digest, content, kind, body::json
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as copy (digest, content, kind, body)
       order by digest collate "C", content collate "C"
       on conflict do nothing`,
      columns,
    );
    await query(
      `insert into run_frozen (run_id, digest, content)
       select $1, digest, content
       from unnest($2::text[], $3::text[]) with ordinality as copy (digest, content, place) order by place
       on conflict do nothing`,
      [id, ...columns.slice(0, 2)] as [string, ...string[][]],
    );
  });
}

interface KeptCopy extends Readonly<Record<string, unknown>> {
  readonly digest: string;
  readonly kind: Frozen['kind'];
  readonly body: string;
  readonly position: number;
}

/** In the order in which they were kept. */
export async function* readFrozen(
  { database, id }: RunPlace,
  digests?: ReadonlySet<unknown>,
): AsyncGenerator<Frozen> {
  const wanted = digests === undefined ? null : [...digests].filter((digest) => typeof digest === 'string');
  for (let last: number | undefined = 0; last !== undefined;) {
    const page: readonly KeptCopy[] = await database.query<KeptCopy>(
      `select digest, kind, body, position from run_frozen join frozen using (digest, content)
       where run_id = $1 and position > $2 and ($3::text[] is null or digest = any($3::text[]))
       order by position limit $4`,
      [id, last, wanted, PAGE],
    );
    for (const { digest, kind, body } of page)
      yield { digest, kind, body: JSON.parse(body) as Frozen['body'] };
    last = page.length < PAGE ? undefined : page.at(-1)?.position;
  }
}
