import { expect, test } from 'vitest';

import { countingServer } from '../support/counting-server.ts';
import { openServe } from './support/open-serve.ts';
import { allShown, inspected, opened } from './support/visit.ts';

test('a trial whose agent answered something else shows what came, and an example of what is expected', async () => {
  const agent = await countingServer((_, response) => void response.end('{"text": "Hello"}'));
  await using serve = await openServe({
    store: 'embedded',
    auth: 'none',
    files: {
      'assay.config.json': {
        targets: { desk: { type: 'http', url: `http://127.0.0.1:${agent.port}` } },
        user: { type: 'scripted', messages: [] },
        judge: { model: 'none/none', metrics: [] },
        run: { expectations: [{ type: 'contains', value: 'Hello' }] },
      },
    },
  });
  await serve.ask('POST', '/test-cases', { name: 'Greeting', initial_message: 'Hello' });
  const { id } = await serve.ask('POST', '/runs', { select: {} });
  await expect.poll(async () => (await serve.ask('GET', `/runs/${id}`)).state).toBe('completed');
  const page = await opened(serve.browser);
  await page.goto(`${serve.url}/runs/${id}`);
  await allShown(page, '[aria-labelledby=attention] [data-row]');
  const offersResume = await page.locator('button:text-is("Resume")').count();
  await page.press('[aria-labelledby=attention] [data-row]', 'Enter');
  await allShown(page, '.head + .problem');
  const told = await page.locator('.head + .problem').innerText();
  expect(await inspected(page, 'trial-invalid-answer')).toEqual([]);
  await page.close();
  expect([told.split(/\n+/), offersResume]).toEqual([
    [
      'Not measured: contract (target)',
      'invalid answer at messages: expected a list such as [{"role": "assistant", "content": "Hello"}], got nothing; the answer was: {"text": "Hello"}',
      'answer in the documented format, such as {"messages": [{"role": "assistant", "content": "Hello"}]}, or convert the answer in a target of type `module`',
    ],
    1,
  ]);
});
