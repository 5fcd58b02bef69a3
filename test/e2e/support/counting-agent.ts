import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** An agent over HTTP that answers so many questions, and keeps the next ones waiting until it may answer more. */
export interface CountingAgent extends AsyncDisposable {
  readonly url: string;
  /** How many questions came. */
  asked(): number;
  /** How many were answered. */
  answered(): number;
  /** How many waited for an answer at the same time, at most. */
  mostAtOnce(): number;
  /** Answers so many more; those that wait come first. */
  allow(count: number): void;
  /** Called at each question, before it is answered, and after each answer. */
  onStep(step: (kind: 'question' | 'answer') => void): void;
}

interface Turn {
  readonly messages: readonly { readonly content: string }[];
}

/** `answerTo`: what it says to the last message. Each answer takes 3 and 5 tokens. */
export async function countingAgent(answerTo: (said: string) => string): Promise<CountingAgent> {
  let [asked, answered, allowed, most] = [0, 0, 0, 0];
  let step: (kind: 'question' | 'answer') => void = () => undefined;
  const waiting: (() => void)[] = [];
  const answerAllowed = () => {
    while (allowed > 0 && waiting.length > 0) {
      allowed -= 1;
      waiting.shift()?.();
    }
  };
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const said = (body as Turn).messages.at(-1)?.content ?? '';
      asked += 1;
      const answer = () => {
        answered += 1;
        send(response, answerTo(said), () => step('answer'));
      };
      waiting.push(answer);
      most = Math.max(most, waiting.length);
      // Who was killed while it waited gets no answer, and takes none from others.
      response.on('close', () => {
        if (waiting.includes(answer)) waiting.splice(waiting.indexOf(answer), 1);
      });
      step('question');
      answerAllowed();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    answered: () => answered,
    mostAtOnce: () => most,
    allow(count) {
      allowed = count;
      answerAllowed();
    },
    onStep: (told) => (step = told),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, content: string, sent: () => void): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      messages: [{ role: 'assistant', content }],
      usage: { prompt_tokens: 3, completion_tokens: 5 },
    }),
    sent,
  );
}
