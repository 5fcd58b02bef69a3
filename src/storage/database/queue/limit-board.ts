import type { SharedLimit, SharedLimits } from '../../../core/shared-limits.ts';
import type { Database } from '../database.ts';
import { listen } from '../listen.ts';

/** Where processes tell each other of refusals of providers. */
export interface LimitBoard extends AsyncDisposable {
  open(): SharedLimits;
}

/** Refusals are told by notices; this is for notices that got lost. */
const LOOKS_EVERY_MS = 5000;

const CHANNEL = 'assay_limited';

/** Opens the limits that the processes of a database share. All times are those of the database. */
export async function openLimitBoard(database: Database, login: string): Promise<LimitBoard> {
  const followers = new Map<string, Set<Follower>>();
  const show = (rows: readonly LimitRow[]): void => {
    for (const { key, cuts, holdMs } of rows)
      for (const heard of followers.get(key) ?? []) heard({ cuts, holdMs });
  };
  const look = async (keys: readonly string[]): Promise<void> => {
    if (keys.length > 0) show(await database.query<LimitRow>(READ, [keys]));
  };
  const lookAtAll = (): void => void look([...followers.keys()]).catch(() => undefined);
  const notices = await listen(login, CHANNEL, (told) => {
    if (told === '') lookAtAll();
    else if (followers.has(told)) void look([told]).catch(() => undefined);
  });
  const timer = setInterval(lookAtAll, LOOKS_EVERY_MS);
  return {
    open: () => openLimits({ database, followers, show }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await notices[Symbol.asyncDispose]();
    },
  };
}

type Follower = (limit: SharedLimit) => void;

interface LimitRow extends Readonly<Record<string, unknown>>, SharedLimit {
  /** Digest of the key. */
  readonly key: string;
}

interface Board {
  readonly database: Database;
  /** By key. */
  readonly followers: Map<string, Set<Follower>>;
  show(rows: readonly LimitRow[]): void;
}

function openLimits({ database, followers, show }: Board): SharedLimits {
  const own: { readonly key: string; readonly heard: Follower }[] = [];
  return {
    follow(key, heard) {
      own.push({ key, heard });
      followers.set(key, (followers.get(key) ?? new Set()).add(heard));
      void database.query<LimitRow>(READ, [[key]]).then(
        ([{ cuts, holdMs } = NEVER_REFUSED]) => heard({ cuts, holdMs }),
        () => undefined,
      );
    },
    tell(key, { cuts, holdMs }) {
      // Without the database, this process still heeds its own refusals.
      void database.query<LimitRow>(TELL, [key, cuts ?? null, holdMs]).then(show, () => undefined);
    },
    [Symbol.dispose]() {
      for (const { key, heard } of own) followers.get(key)?.delete(heard);
    },
  };
}

const NEVER_REFUSED: SharedLimit = { cuts: 0, holdMs: 0 };

const COLUMNS = `key_digest as key, cuts,
  greatest(0, ceil(extract(epoch from held_until - clock_timestamp()) * 1000))::int as "holdMs"`;

const READ = `select ${COLUMNS} from provider_limit where key_digest = any($1::text[])`;

/** A request that was sent before the last cut does not show whether the new limit is too high. */
const TELL = `
  with told as (
    insert into provider_limit as before (key_digest, cuts, held_until)
    values ($1, 1, clock_timestamp() + make_interval(secs => $3 / 1000.0))
    on conflict (key_digest) do update set
      cuts = before.cuts + (coalesce($2, before.cuts) >= before.cuts)::int,
      held_until = greatest(before.held_until, excluded.held_until)
    returning *
  )
  select ${COLUMNS}, pg_notify('${CHANNEL}', key_digest) as told from told`;
