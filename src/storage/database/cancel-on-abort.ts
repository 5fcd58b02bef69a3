import type { Pool, PoolClient } from 'pg';

import { sqlState } from './database.ts';

/**
 * Runs statements on a connection. When the signal aborts, the server cancels the statement that runs there, and the
 * result rejects with the reason of the signal. If the statement has ended already, its result counts.
 */
export async function cancelledOnAbort<T>(
  signal: AbortSignal,
  { pool, client }: { readonly pool: Pool; readonly client: PoolClient },
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  let cancelling: Promise<unknown> | undefined;
  const cancel = (): void => {
    const process = 'processID' in client && typeof client.processID === 'number' ? client.processID : 0;
    cancelling = pool.query('select pg_cancel_backend($1)', [process]).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } catch (error) {
    throw signal.aborted && sqlState(error) === CANCELLED ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // The next statement of this connection must not be the one that is cancelled.
    await cancelling;
  }
}

const CANCELLED = '57014';
