import type { KnownSession, SessionStore, WebSession } from '../../../core/session-store.ts';
import { given } from '../../../lib/given.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Database, SqlRow } from '../database.ts';
import { KNOWN_COLUMNS, KNOWN_TABLES, knownOf, type KnownRow } from './token-store.ts';

/** The sessions of browsers in a database that has its schema. */
export function databaseSessions({ query }: Pick<Database, 'query'>): SessionStore {
  const known = async (where: string, value: string): Promise<KnownSession | undefined> => {
    const [row] = await query<KnownRow & SessionRow>(
      `select ${KNOWN_COLUMNS}, ${SESSION_COLUMNS}, session.sha256 as session_sha256
       from web_session as session, ${KNOWN_TABLES} where token.id = session.token_id and ${where}`,
      [value],
    );
    if (row === undefined) return undefined;
    return { session: sessionOf(row), sha256: row.session_sha256, known: knownOf(row) };
  };
  return {
    async create({ tokenId, sha256, expiresAt }, now) {
      await query('delete from web_session where expires_at <= $1::text::timestamptz', [timeOf(now)]);
      const [row] = await query<SessionRow>(
        `insert into web_session as session (token_id, sha256, expires_at)
         values ($1::uuid, $2, $3::text::timestamptz) returning ${SESSION_COLUMNS}`,
        [tokenId, sha256, timeOf(expiresAt)],
      );
      return sessionOf(row as SessionRow);
    },
    get: async (id) => (isUuid(id) ? await known('session.id = $1::uuid', id) : undefined),
    find: (sha256) => known('session.sha256 = $1', sha256),
    async revoke(id) {
      if (!isUuid(id)) return;
      await query(
        'update web_session set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1::uuid',
        [id],
      );
    },
  };
}

const SESSION_COLUMNS = `session.id as session_id, session.expires_at as session_expires_at,
  session.revoked_at as session_revoked_at`;

interface SessionRow extends SqlRow {
  readonly session_id: string;
  readonly session_sha256: string;
  readonly session_expires_at: string;
  readonly session_revoked_at: string | null;
}

function sessionOf(row: SessionRow): WebSession {
  const { session_id: id, session_expires_at: expiresAt } = row;
  return { id, expiresAt, ...given({ revokedAt: row.session_revoked_at ?? undefined }) };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
