import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/** An agent over HTTP that answers with the last message, and keeps some questions waiting. */
export interface HeldAgent {
  readonly url: string;
  /** The messages of users in the order in which they came. */
  readonly asked: readonly string[];
  /** Resolves when so many questions have come. */
  came(count: number): Promise<void>;
  /** Answers what waits, and from now on at once. */
  release(): void;
}

/** Starts it on loopback. It ends with the test. `holds`: whether a question waits. */
export async function heldAgent(holds: (text: string) => boolean = () => false): Promise<HeldAgent> {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const watching = new Set<() => void>();
  let isReleased = false;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const text = lastMessage(body);
      asked.push(text);
      const answer = () => send(response, text);
      if (!isReleased && holds(text)) waiting.push(answer);
      else answer();
      for (const tell of watching) tell();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    came: (count) =>
      new Promise((resolve) => {
        const tell = () => {
          if (asked.length < count) return;
          watching.delete(tell);
          resolve();
        };
        watching.add(tell);
        tell();
      }),
    release() {
      isReleased = true;
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

function send(response: ServerResponse, text: string): void {
  response.setHeader('Content-Type', 'application/json');
  const messages = [{ role: 'assistant', content: `you said ${text}` }];
  response.end(JSON.stringify({ messages }));
}

function lastMessage(body: string): string {
  const asked = JSON.parse(body) as { readonly messages?: readonly { readonly content?: string }[] };
  return asked.messages?.at(-1)?.content ?? body;
}
