import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { isObject, type JsonValue } from '../../lib/json.ts';
import { jsonIn } from '../../lib/text/json-in.ts';
import { anthropic } from './anthropic.ts';
import { replyChooser, type Chooser } from './choose-reply.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiEmbeddings } from './openai-embeddings.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Asked, JsonRecord, Protocol } from './protocol.ts';
import { sayingOf } from './say.ts';
import { scriptSchema, type Reply, type Script } from './script.ts';

export interface ModelServerOptions {
  readonly script?: Script;
  /** 0: any free port. */
  readonly port?: number;
  /** Keeps every request, for tests that inspect them. */
  readonly records?: boolean;
  /** Called before the script; undefined: the script decides. */
  readonly replyTo?: (asked: Asked) => Reply | undefined;
}

/** Counts of requests, including refused ones. */
export interface ServerCounts {
  readonly total: number;
  readonly byProtocol: Readonly<Record<string, number>>;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Maximum concurrent requests. */
  readonly peak: number;
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: JsonRecord;
}

/** A server on loopback that speaks the protocols of the large providers and answers from a script. */
export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; the addresses of providers are below it, with or without `/v1` and `/v1beta`. */
  readonly url: string;
  counts(): ServerCounts;
  readonly requests: readonly RecordedRequest[];
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const script = scriptSchema.parse(options.script ?? {});
  const chooser = replyChooser(script.rules);
  const tally = createTally();
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const leave = tally.enter();
    response.on('close', leave);
    const record = options.records === true ? requests : undefined;
    const replyTo = options.replyTo ?? (() => undefined);
    // A client that disconnects in the middle of a request gets no answer.
    answer(request, response, { script, chooser, tally, record, replyTo }).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: tally.counts,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Serving {
  readonly script: ReturnType<typeof scriptSchema.parse>;
  readonly chooser: Chooser;
  readonly tally: ReturnType<typeof createTally>;
  readonly record: RecordedRequest[] | undefined;
  readonly replyTo: NonNullable<ModelServerOptions['replyTo']>;
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { tally, script, chooser } = serving;
  const path = request.url ?? '';
  const text = await bodyOf(request);
  const protocol = protocolOf(path);
  if (protocol === undefined || request.method !== 'POST') return overview(response, tally);
  const parsed = jsonIn(text);
  const body = isObject(parsed) ? parsed : undefined;
  tally.count(protocol.name);
  serving.record?.push({ path, headers: request.headers, body: body ?? {} });
  const refuse = (status: number, message: string): void =>
    send(response, { status, value: protocol.error(status, message), tally });
  if (body === undefined) return refuse(400, 'the body is not a JSON object');
  if (script.apiKey !== undefined && keyOf(request) !== script.apiKey) return refuse(401, 'invalid api key');
  const asked = protocol.read(body, path);
  if (script.models?.includes(asked.model) === false)
    return refuse(404, `the model ${asked.model} does not exist`);
  const own = serving.replyTo(asked);
  const { reply, release } =
    own === undefined ? chooser.choose(asked, text) : { reply: own, release: () => {} };
  response.on('close', release);
  if (reply.hang === true) return;
  if (reply.delayMs !== undefined) await pauseUnlessGone(reply.delayMs, response);
  if ((reply.status ?? 200) >= 400) {
    const status = reply.status ?? 500;
    const value = protocol.error(status, reply.message ?? `scripted status ${status}`);
    return send(response, { status, value, tally, headers: reply.headers });
  }
  speak(response, { protocol, reply, asked, body: text, tally });
}

interface Speaking {
  readonly protocol: Protocol;
  readonly reply: Reply;
  readonly asked: Asked;
  readonly body: string;
  readonly tally: ReturnType<typeof createTally>;
}

function speak(response: ServerResponse, { protocol, reply, asked, body, tally }: Speaking): void {
  const said = sayingOf(reply, asked, body);
  if (!asked.isStreamed) {
    const value = reply.malformed === true ? undefined : protocol.whole(said, asked);
    return send(response, { status: 200, value, tally, headers: reply.headers, cut: reply.cut });
  }
  tally.status(200);
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  const frames = reply.malformed === true ? [MALFORMED_FRAME] : protocol.frames(said);
  const shown = reply.cut === undefined ? frames : frames.slice(0, Math.ceil(frames.length / 2));
  for (const frame of shown) response.write(`${frame}\n`);
  if (reply.cut === 'break') return breakOff(response);
  response.end();
}

const MALFORMED_FRAME = 'data: {"choices": [{"delta": \n';

interface Sending {
  readonly status: number;
  /** Undefined for invalid JSON. */
  readonly value: JsonValue | undefined;
  readonly tally: ReturnType<typeof createTally>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cut?: Reply['cut'];
}

function send(response: ServerResponse, { status, value, tally, headers, cut }: Sending): void {
  const text = value === undefined ? '{"oops": ' : JSON.stringify(value);
  tally.status(status);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  if (cut === undefined) {
    response.end(text);
    return;
  }
  response.write(text.slice(0, text.length / 2));
  breakOff(response);
}

/** After the written data has left, so that the client has seen the beginning. */
function breakOff(response: ServerResponse): void {
  setImmediate(() => response.destroy());
}

function overview(response: ServerResponse, tally: Serving['tally']): void {
  response.writeHead(response.req.method === 'POST' ? 404 : 200, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify({ server: 'scripted models', requests: tally.counts() })}\n`);
}

function protocolOf(path: string): Protocol | undefined {
  const [route = ''] = path.split('?');
  if (route.endsWith('/chat/completions')) return openaiChat;
  if (route.endsWith('/embeddings')) return openaiEmbeddings;
  if (route.endsWith('/responses')) return openaiResponses;
  if (route.endsWith('/messages')) return anthropic;
  return /\/models\/[^/]+:(generateContent|streamGenerateContent)$/.test(route) ? gemini : undefined;
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key =
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  return Array.isArray(key) ? key[0] : key;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

function pauseUnlessGone(timeMs: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeMs);
    response.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function createTally() {
  const byProtocol: Record<string, number> = {};
  const byStatus: Record<string, number> = {};
  let [total, now, peak] = [0, 0, 0];
  return {
    enter(): () => void {
      now += 1;
      peak = Math.max(peak, now);
      return () => {
        now -= 1;
      };
    },
    count(protocol: string): void {
      total += 1;
      byProtocol[protocol] = (byProtocol[protocol] ?? 0) + 1;
    },
    status(status: number): void {
      byStatus[status] = (byStatus[status] ?? 0) + 1;
    },
    counts: (): ServerCounts => ({ total, byProtocol: { ...byProtocol }, byStatus: { ...byStatus }, peak }),
  };
}
