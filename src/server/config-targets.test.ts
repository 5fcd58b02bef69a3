import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

const DESK = { type: 'http', url: 'https://agent.test/turn', prompt: './desk.md' };
const SHOP = {
  type: 'openai-compatible',
  baseUrl: 'https://models.test/v1',
  model: 'm',
  tools: [{ name: 'find' }],
};
const FIND = { tool: 'find', result: 'a lamp' };

onServedStores(
  'targets of the config over HTTP',
  ({ ask, folder }) => {
    test('are listed, each as an agent that can be added, or with the reason', async () => {
      writeFileSync(join(folder, 'desk.md'), 'Be kind.\n');
      const { status, body } = await ask('GET', '/targets');
      const config = { ...DESK, prompt: 'Be kind.' };
      expect([status, body.data]).toEqual([
        200,
        [
          { name: 'desk', type: 'http', is_default: true, agent: { config, mocks: [] }, problems: [] },
          {
            name: 'shop',
            type: 'openai-compatible',
            is_default: false,
            agent: { config: SHOP, mocks: [FIND] },
            problems: [],
          },
          {
            name: 'script',
            type: 'cli',
            is_default: false,
            agent: null,
            problems: [
              {
                message: 'config.type: agents of type "cli" cannot be stored',
                hint: expect.stringContaining('write the target in the config of the server'),
              },
            ],
          },
        ],
      ]);
      const added = await ask('POST', '/agents', { body: { name: 'desk-agent', config } });
      expect([added.status, added.body.config]).toEqual([201, config]);
    });
  },
  {
    agents: {
      config: {
        target: 'desk',
        targets: {
          desk: DESK,
          shop: { ...SHOP, mocks: [FIND] },
          script: { type: 'cli', command: ['./agent'] },
        },
      },
    },
  },
);

const SECRET = 'Bearer abcdefgh12345678';

onServedStores(
  'a target of the config with a secret',
  ({ ask }) => {
    test('is not offered as an agent, and the secret is not shown', async () => {
      const { body } = await ask('GET', '/targets');
      const [target] = body.data;
      expect([target?.agent, target?.problems.length, JSON.stringify(body).includes('abcdefgh')]).toEqual([
        null,
        1,
        false,
      ]);
    });
  },
  {
    agents: {
      config: {
        targets: { desk: { type: 'http', url: 'https://agent.test', headers: { authorization: SECRET } } },
      },
    },
  },
);
