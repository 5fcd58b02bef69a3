import type { ErrorCode } from '../core/error-code.ts';
import { AssayError } from '../core/errors.ts';
import type { TakenUpload, UploadLine, UploadStore } from '../core/run-upload.ts';
import { given } from '../lib/given.ts';
import { withSource } from '../lib/with-source.ts';
import { pause, systemClock } from '../lib/time/clock.ts';
import { problemOf, RefusedError } from './client.ts';
import type { Problem } from './resources/problem.ts';

/** Uploads to the server with this base address of its API. */
export function remoteUploads(base: string, ask: typeof fetch = fetch, clock = systemClock): UploadStore {
  const send = (path: string, sent: Sent) => sendStream(`${base}${path}`, sent, ask);
  return {
    async take(lines) {
      const sent = { method: 'POST', type: 'application/x-ndjson', content: bytesOf(lines) } as const;
      const taken = (await send('/runs/upload', sent)) as TakenResource;
      const { run, is_new: isNew, new_events: newEvents, missing = [] } = taken;
      return { run, isNew, newEvents, missing };
    },
    async keep(sha256, content) {
      const type = 'application/octet-stream';
      const path = `/attachments/${encodeURIComponent(sha256)}`;
      for (;;) {
        try {
          await send(path, { method: 'PUT', type, content: content() });
          return;
        } catch (error) {
          if (!(error instanceof TooManyRequests)) throw error;
          // A run may leave more files than a server takes in a minute.
          await pause(error.waitMs, new AbortController().signal, clock);
        }
      }
    },
  };
}

interface Sent {
  readonly method: 'POST' | 'PUT';
  readonly type: string;
  readonly content: AsyncIterable<Uint8Array>;
}

type TakenResource = Pick<TakenUpload, 'run' | 'missing'> & {
  readonly is_new: boolean;
  readonly new_events: number;
};

/** Throws an error of the content as it is: a connection that ends because of it is not the reason. */
async function sendStream(
  address: string,
  { method, type, content }: Sent,
  ask: typeof fetch,
): Promise<unknown> {
  return await withSource(content, async (sent) => {
    const answer = await ask(address, {
      method,
      headers: { 'Content-Type': type },
      body: ReadableStream.from(sent),
      duplex: 'half',
    });
    const body: unknown = await answer.json();
    if (answer.status === 429) throw new TooManyRequests(problemOf(body), answer.headers);
    if (!answer.ok) throw refusal(answer.status, problemOf(body));
    return body;
  });
}

/** The server asks to wait. */
class TooManyRequests extends RefusedError {
  readonly waitMs: number;
  constructor(problem: Problem['error'], headers: Headers) {
    super(429, problem);
    this.waitMs = 1000 * Math.max(1, Number(headers.get('retry-after')) || 0);
  }
}

/** What is wrong with bytes is the same error as in a store of this process. */
function refusal(status: number, problem: Problem['error']): Error {
  const { code, message, hint } = problem;
  if (!code.startsWith('bytes-')) return new RefusedError(status, problem);
  return new AssayError(code as ErrorCode, message, { stage: 'log', ...given({ hint }) });
}

/** Characters of one piece: a request of many small pieces is slow. */
const PIECE = 1 << 16;

async function* bytesOf(lines: AsyncIterable<UploadLine>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
