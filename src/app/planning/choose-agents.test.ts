import { beforeEach, describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../test/support/databases.ts';
import { databaseAgents } from '../../storage/database/agents/store.ts';
import { type AskedTarget, chooseTargets } from './choose-agents.ts';

const config = (url: string) => ({ type: 'http', url });
const MOCK = { tool: 'look', match: 'any', answer: { result: 1 } } as const;

onBothDatabases('targets that a run asks for', (database) => {
  const agents = () => databaseAgents(database());
  const choose = (...asked: readonly AskedTarget[]) =>
    chooseTargets(asked, { configured: ['desk', 'bot@9'], agents: agents() });
  const named = (...names: readonly string[]) =>
    names.map((name) => ({ name, place: { file: `--target ${name}` } }));
  const told = async (...asked: readonly AskedTarget[]) =>
    (await choose(...asked)).problems.map(({ code, file, path = [], message, hint }) =>
      [file, path.join('.'), code, message, hint].join(' | '),
    );
  let id = '';
  const used = (name: string, version: number, url: string) => ({
    name,
    config: config(url),
    mocks: [MOCK],
    agent: { id, version },
  });

  beforeEach(async () => {
    const made = await agents().create({
      name: 'bot',
      description: null,
      config: config('https://one.test'),
      note: null,
      createdBy: null,
    });
    if (made.outcome !== 'written') throw new Error(made.outcome);
    ({ id } = made.agent);
    await agents().addVersion(id, { config: config('https://two.test'), note: null, createdBy: null });
    await agents().replaceMocks(id, [MOCK]);
  });

  describe('are targets of the config', () => {
    test('and agents of the store, the newest version where none is named', async () => {
      expect(await choose(...named('bot', 'desk', 'replay:latest', 'desk'))).toEqual({
        names: ['bot', 'desk', 'replay:latest'],
        agents: [used('bot', 2, 'https://two.test')],
        problems: [],
      });
    });

    test('even where an agent could be meant', async () => {
      expect(await choose(...named('bot@9'))).toEqual({ names: ['bot@9'], agents: [], problems: [] });
    });
  });

  describe('are agents', () => {
    test('of one version by their name, and of several by name and version', async () => {
      expect((await choose(...named('bot@1'))).agents).toEqual([used('bot', 1, 'https://one.test')]);
      expect(await choose(...named('bot', 'bot@1', 'bot@2'))).toEqual({
        names: ['bot@2', 'bot@1'],
        agents: [used('bot@2', 2, 'https://two.test'), used('bot@1', 1, 'https://one.test')],
        problems: [],
      });
    });

    test('of a request by their id', async () => {
      const place = { file: 'body', path: ['agents', 0] };
      expect((await choose({ agent: id, version: 1, place })).names).toEqual(['bot']);
      expect((await choose({ agent: id, place })).agents).toEqual([used('bot', 2, 'https://two.test')]);
    });
  });

  test('that are unknown or archived are all told at their places', async () => {
    const place = { file: 'body', path: ['agents', 1, 'version'] };
    expect(await told(...named('bto', 'bot@7'), { agent: id, version: 3, place })).toEqual([
      '--target bto |  | unknown-target | unknown target "bto" | did you mean `bot`?',
      '--target bot@7 |  | unknown-agent-version | the agent "bot" has no version 7 | its newest version is 2',
      'body | agents.1.version | unknown-agent-version | the agent "bot" has no version 3 | its newest version is 2',
    ]);
    await agents().change(id, { isArchived: true });
    expect(await told(...named('bot'))).toEqual([
      `--target bot |  | agent-archived | the agent "bot" is archived | use another agent, or restore this one: PATCH /api/v1/agents/${id} with {"archived": false}`,
    ]);
  });
});
