import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { HeldAgent } from './held-agent.ts';
import type { ServedStore } from './served-store.ts';

/** Runs over the API of a served store. */
export function runsOverApi({ ask, url, folder }: ServedStore) {
  const project = (agent: Pick<HeldAgent, 'url'>, more: object = {}) =>
    writeFileSync(
      join(folder, 'assay.config.json'),
      JSON.stringify({
        targets: { bot: { type: 'http', url: agent.url } },
        target: 'bot',
        user: { type: 'scripted', messages: [] },
        judge: { model: 'none/none', metrics: [] },
        run: { seed: 3, concurrency: 2, expectations: [{ type: 'contains', value: 'right' }] },
        ...more,
      }),
    );
  const add = async (...texts: readonly string[]): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (const text of texts) {
      const { body } = await ask('POST', '/test-cases', { body: { name: text, initial_message: text } });
      ids.push(body.id);
    }
    return ids;
  };
  /** The events of the feed until the run has ended. */
  const feed = async (run: string): Promise<readonly { sequence: number; fact: { type: string } }[]> => {
    const answer = await fetch(`${url()}/api/v1/runs/${run}/events`, {
      headers: { Accept: 'text/event-stream' },
    });
    const text = await answer.text();
    return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  };
  const start = async (body: object = {}) => ask('POST', '/runs', { body: { select: {}, ...body } });
  const end = async (run: string) => {
    const events = await feed(run);
    return { events, run: (await ask('GET', `/runs/${run}`)).body };
  };
  const trials = async (run: string) => (await ask('GET', `/runs/${run}/trials`)).body.data;
  return { project, add, start, end, trials };
}
