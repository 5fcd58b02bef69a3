import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { artifactsIn, ask, servicesOf, temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import { until } from '../../../test/e2e/support/until.ts';
import type { Session, World } from '../../core/target.ts';
import { opencode } from '../opencode/config.ts';
import { agentTarget } from './agent-target.ts';
import { objectAmong } from './export-session.ts';

test.each([
  ['nothing else', '{"a":{"b":1}}', '{"a":{"b":1}}'],
  ['words around it', 'Exporting session: ses_1\n{"a":1}\nDone.\n', '{"a":1}'],
  ['braces in the words before it', 'Exporting {session}: {"a":"}"}', '{"a":"}"}'],
  ['an object that is cut off', 'Exporting\n{"a":{"b":1}', undefined],
  ['no object', 'no such session', undefined],
])('a session is found in %s', (_, printed, found) => {
  expect(objectAmong(printed)).toBe(found);
});

const ANSWER = [
  { type: 'step_start', sessionID: 'ses_1', part: {} },
  { type: 'text', sessionID: 'ses_1', part: { text: 'yes' } },
  { type: 'step_finish', sessionID: 'ses_1', part: { messageID: 'm', reason: 'stop' } },
];

interface Exporting {
  readonly session: Session;
  /** Names of what was kept. */
  kept(): readonly string[];
  /** Names of files that no turn told of. */
  readonly told: readonly string[];
  readonly folder: string;
}

/** A session of opencode whose program does this when it is asked for an export. */
async function opened(exporting: string): Promise<Exporting> {
  const [folder, artifacts] = [temporaryFolder(), temporaryFolder()];
  const lines = ANSWER.map((event) => JSON.stringify(event)).join('\n');
  const script = `#!/bin/sh
case "$1" in
  --version) echo 1.18.33 ;;
  export) cd '${folder}'; ${exporting} ;;
  *) echo '${lines}' ;;
esac
`;
  writeFileSync(join(folder, 'opencode'), script);
  chmodSync(join(folder, 'opencode'), 0o755);
  const services = servicesOf({ environment: { PATH: `${folder}:/usr/bin:/bin` } });
  const target = agentTarget(opencode).create({ model: 'p/m' }, services);
  const told: string[] = [];
  const world: World = {
    ...worldOf({ artifacts: artifactsIn(artifacts) }),
    leftFile: (name) => void told.push(name),
  };
  const session = await target.open(world, new AbortController().signal);
  return { session, folder, told, kept: () => readdirSync(artifacts).sort() };
}

describe('a session that can be exported', () => {
  test('is written down once, when it is over', async () => {
    const { session, folder, kept, told } = await opened(`echo "$2" >> asked; echo '{"id":1}'`);
    const ends = [(await ask(session, 'one')).end, (await ask(session, 'two')).end];
    expect(ends.map(({ artifacts }) => artifacts)).toEqual([['stdout.log'], ['stdout-2.log']]);
    expect(kept()).toEqual(['stdout-2.log', 'stdout.log']);
    await session[Symbol.asyncDispose]();
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('ses_1\n');
    expect(kept()).toEqual(['export.json', 'stdout-2.log', 'stdout.log']);
    expect(told).toEqual(['export.json']);
  });

  test('ends normally when it cannot be exported', async () => {
    const { session, kept, told } = await opened(`echo '{"id":'; exit 3`);
    await ask(session, 'one');
    await session[Symbol.asyncDispose]();
    expect([kept(), told]).toEqual([['stdout.log'], []]);
  });

  test('keeps its turns when an export hangs, which is ended by the time limit of the turns', async () => {
    const { session, folder, kept } = await opened('touch asked; sleep 600');
    const time = new AbortController();
    const { end } = await ask(session, 'one', time.signal);
    expect(end).toEqual({ sessionId: 'ses_1', artifacts: ['stdout.log'] });
    const over = session[Symbol.asyncDispose]();
    await until('the export', () => existsSync(join(folder, 'asked')));
    time.abort(new Error('time is up'));
    await over;
    expect(kept()).toEqual(['stdout.log']);
  });
});
