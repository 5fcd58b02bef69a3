import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startModelServer, type ModelServer } from '../../../src/models/mock-server/server.ts';
import type { Reply } from '../../../src/models/mock-server/script.ts';
import type { JsonValue } from '../../../src/lib/json.ts';

/** A turn of an agent: what it says, and the rest of its answer; a number is a status, `hang` no answer at all. */
export type AgentTurn = string | number | 'hang' | { readonly [key: string]: JsonValue };

/** A request as the agent got it. */
export interface Visit {
  readonly id: string;
  readonly turn: number;
  readonly trial: string;
  readonly idempotencyKey: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly body: string;
}

export interface Agent extends AsyncDisposable {
  readonly url: string;
  readonly visits: readonly Visit[];
}

/** An agent over HTTP that answers each case by its list of turns, the last one again and again. */
export async function startAgent(turns: Readonly<Record<string, readonly AgentTurn[]>>): Promise<Agent> {
  const visits: Visit[] = [];
  const server = createServer(async (request, response) => {
    const visit = await visitOf(request);
    visits.push(visit);
    const own = turns[visit.id] ?? ['yes'];
    const turn = own[Math.min(visit.turn, own.length - 1)] ?? 'yes';
    if (turn === 'hang') return;
    if (typeof turn === 'number') return void response.writeHead(turn).end('broken');
    const answer = typeof turn === 'string' ? { messages: [{ role: 'assistant', content: turn }] } : turn;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    visits,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function visitOf(request: IncomingMessage): Promise<Visit> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  const { messages, metadata } = JSON.parse(body) as {
    messages: Visit['messages'];
    metadata: { test_case_id: string; turn_index: number; trial: string };
  };
  const idempotencyKey = String(request.headers['idempotency-key']);
  const { test_case_id: id, turn_index: turn, trial } = metadata;
  return { id, turn, trial, idempotencyKey, messages, body };
}

/** What a played user answers. */
export interface Line {
  readonly message?: string | null;
  readonly done?: boolean;
  readonly reason?: string | null;
  readonly note?: string | null;
}

/** Models that play users: the lines of the case whose goal stands in the prompt, one an ask, the last again and again. */
export async function startUsers(
  lines: Readonly<Record<string, readonly (Line | Reply)[]>>,
): Promise<ModelServer & { asks(id: string): number }> {
  const asks = new Map<string, number>();
  const server = await startModelServer({
    records: true,
    replyTo: ({ messages }) => {
      const prompt = messages.find(({ role }) => role === 'system')?.text ?? '';
      const [, id = 'unknown'] = /case:([\w-]+)/.exec(prompt) ?? [];
      const asked = asks.get(id) ?? 0;
      asks.set(id, asked + 1);
      const own = lines[id] ?? [{ message: 'and then?' }];
      return replyOf(own[Math.min(asked, own.length - 1)] ?? {});
    },
  });
  return Object.assign(server, { asks: (id: string) => asks.get(id) ?? 0 });
}

/** What a judge finds: a score or a verdict for every metric, and whether outcomes hold; by words of its prompt. */
export interface Judgement {
  readonly said?: Readonly<Record<string, number | boolean>>;
  /** Outcomes that do not hold. */
  readonly broken?: readonly string[];
}

/** What tells a reply as it stands from a judgement. */
const REPLY_KEYS = ['json', 'text', 'status', 'hang'];

/** A model that judges: what nobody says anything about is scored with `usual` and holds. */
export async function startJudge(
  judgementOf: (prompt: string) => (Judgement & { readonly usual?: number }) | Reply,
): Promise<ModelServer> {
  return await startModelServer({
    records: true,
    replyTo: ({ messages }) => {
      const prompt = messages.map(({ text }) => text).join('\n');
      const judgement = judgementOf(prompt);
      if (REPLY_KEYS.some((key) => key in judgement)) return judgement as Reply;
      const { said = {}, broken = [], usual = 4 } = judgement as Judgement & { readonly usual?: number };
      const metrics = [...prompt.matchAll(/^## (\w+)[^\n]*\((?:score|passed)/gm)].map(([, id = '']) => {
        const value = said[id] ?? usual;
        const result = typeof value === 'boolean' ? { passed: value } : { score: value };
        return [
          id,
          { justification: `${id} is ${value}`, failure_code: null, turns: [1], ...result },
        ] as const;
      });
      const labels = [...prompt.matchAll(/^- "([^"\n]+)": /gm)].map(([, label = '']) => label);
      const outcomes = labels.map((label) => ({
        label,
        reason: 'seen',
        held: !broken.includes(label),
        turns: [1],
      }));
      return {
        json: {
          ...(metrics.length === 0 ? {} : { metrics: Object.fromEntries(metrics) }),
          ...(outcomes.length === 0 ? {} : { outcomes }),
          injection: false,
        } as unknown as NonNullable<Reply['json']>,
        usage: { input: 1000, output: 100 },
      };
    },
  });
}

function replyOf(line: Line | Reply): Reply {
  if (!('message' in line) && !('done' in line)) return line as Reply;
  const { message = null, done = false, reason = null, note = null } = line as Line;
  return { json: { message, done, reason, note }, usage: { input: 100, output: 10 } };
}
