import { Refusal } from './refusal.ts';

const IDLE_MS = 60_000;

/** The chunks of a body. Throws 408 where the next one does not come. The time of its reader does not count. */
export async function* flowing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await inTime(chunks.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // A chunk that is still awaited may never come.
    void chunks.return?.().catch(() => undefined);
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(standsStill()), IDLE_MS);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function standsStill(): Refusal {
  return new Refusal(408, {
    code: 'body-stands-still',
    message: `no data of the request body arrived for ${IDLE_MS / 1000} seconds`,
    hint: 'check the connection, and send the request again',
  });
}
