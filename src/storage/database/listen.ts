import type { Client } from 'pg';

const AGAIN_MS = 1000;

/**
 * Calls `heard` with the text of each notice on a channel, over a connection of its own. A lost connection is replaced;
 * what was told meanwhile is not heard.
 */
export async function listen(
  login: string,
  channel: string,
  heard: (text: string) => void,
): Promise<AsyncDisposable> {
  const { default: pg } = await import('pg');
  let isClosed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: login, application_name: 'assay', keepAlive: true });
    const lost = () => {
      if (client !== next || isClosed) return;
      client = undefined;
      later();
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => heard(payload ?? ''));
    client = next;
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      // What was told before it listened is there already.
      heard('');
    } catch {
      lost();
      await next.end().catch(() => undefined);
    }
  };
  const later = () => {
    timer = setTimeout(() => void connect(), AGAIN_MS).unref();
  };
  await connect();
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
