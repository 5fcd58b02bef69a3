import { existsSync, readFileSync } from 'node:fs';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ask, servicesOf, targetContract, temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import type { Target, Yielded } from '../../core/target.ts';
import { textOf } from '../../core/message.ts';
import { countStarted } from '../../../test/support/started-processes.ts';
import { agentTarget } from '../coding-agent/agent-target.ts';
import { acp } from './config.ts';

const { signal } = new AbortController();

/** Speaks the protocol, records what it receives, and says with each answer which process and which prompt it is. */
const AGENT = `
const { appendFileSync, existsSync } = require('node:fs');
const { createInterface } = require('node:readline');
if (process.argv.includes('--version')) process.exit(0);
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const note = (line) => appendFileSync(process.env.NOTES, line + '\\n');
const quirks = (process.env.QUIRKS ?? '').split(',');
const isFirst = !existsSync(process.env.NOTES);
note('start');
let prompts = 0, asked;
const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'talker', version: '1' },
    agentCapabilities: { loadSession: quirks.includes('loads') },
  }),
  'session/new': () => ({ sessionId: 's-7' }),
  'session/load': () => ({}),
};
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    note(id + ' ' + method + (params?.sessionId ? ' of ' + params.sessionId : ''));
    if (method === 'session/cancel') {
      if (!quirks.includes('deaf')) say({ id: asked, result: { stopReason: 'cancelled' } });
      return;
    }
    if (method !== 'session/prompt') return say({ id, result: answers[method]() });
    asked = id;
    if (quirks.includes('hangs')) return;
    prompts += 1;
    const content = { type: 'text', text: 'prompt ' + prompts + ': ' + params.prompt[0].text };
    say({ method: 'session/update', params: { sessionId: 's-7', update: { sessionUpdate: 'agent_message_chunk', content } } });
    say({ id, result: { stopReason: 'end_turn' } });
    if (quirks.includes('leaves')) setTimeout(() => process.exit(0), 20);
    if (quirks.includes('breaks') && isFirst) setTimeout(() => process.exit(3), 20);
  })
  .on('close', () => {
    note('end of input');
    if (quirks.includes('deaf')) setInterval(() => {}, 1000);
    else process.exitCode = quirks.includes('fails') ? 3 : 0;
  });
if (quirks.includes('deaf')) process.on('SIGTERM', () => { note('SIGTERM'); process.exit(143); });
`;

function talker(quirks = ''): { readonly target: Target & AsyncDisposable; notes(): readonly string[] } {
  const folder = temporaryFolder();
  const file = join(folder, 'notes');
  writeFileSync(join(folder, 'agent.cjs'), AGENT);
  writeFileSync(join(folder, 'talker'), `#!/bin/sh\nexec '${process.execPath}' '${folder}/agent.cjs' "$@"\n`);
  chmodSync(join(folder, 'talker'), 0o755);
  const env = { NOTES: file, QUIRKS: quirks };
  const services = servicesOf({ env, environment: { PATH: `${folder}:/usr/bin:/bin`, ...env } });
  const target = agentTarget(acp).create({ command: 'talker' }, services);
  return {
    target: { ...target, [Symbol.asyncDispose]: async () => await target[Symbol.asyncDispose]?.() },
    notes: () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []),
  };
}

targetContract('an agent that is talked to', {
  answering: () => talker().target,
  hanging: () => talker('hangs').target,
});

const said = ({ entries }: { readonly entries: readonly Yielded[] }): readonly string[] =>
  entries.flatMap((entry) => (entry.type === 'message' ? [textOf(entry.parts)] : []));

const OPENING = ['start', '0 initialize', '1 session/new', '2 session/prompt of s-7'];

test('a second message is a second prompt of the same session in the same process', async () => {
  const { target, notes } = talker();
  const session = await target.open(worldOf(), signal);
  const turns = [await ask(session, 'one'), await ask(session, 'two')];
  expect(turns.map(said)).toEqual([['prompt 1: one'], ['prompt 2: two']]);
  expect(turns.map(({ end }) => end)).toEqual([
    { sessionId: 's-7', artifacts: ['stdout.log'] },
    { sessionId: 's-7', artifacts: ['stdout-2.log'] },
  ]);
  await session[Symbol.asyncDispose]();
  expect(notes()).toEqual([...OPENING, '3 session/prompt of s-7', 'end of input']);
});

test('an interruption calls the prompt off and closes the input before anything is ended', async () => {
  const { target, notes } = talker('hangs');
  const controller = new AbortController();
  const session = await target.open(worldOf(), signal);
  const turn = ask(session, 'one', controller.signal);
  await expect.poll(notes).toHaveLength(OPENING.length);
  const reason = new Error('time is up');
  controller.abort(reason);
  await expect(turn).rejects.toBe(reason);
  await session[Symbol.asyncDispose]();
  expect(notes().slice(0, 5)).toEqual([...OPENING, 'undefined session/cancel of s-7']);
});

test('an agent that hears of nothing is ended a moment after it was called off', async () => {
  const { target, notes } = talker('hangs,deaf');
  const controller = new AbortController();
  const session = await target.open(worldOf(), signal);
  const turn = ask(session, 'one', controller.signal).catch(() => {});
  await expect.poll(notes).toHaveLength(OPENING.length);
  controller.abort(new Error('time is up'));
  await session[Symbol.asyncDispose]();
  await turn;
  expect(notes()).toEqual([...OPENING, 'undefined session/cancel of s-7', 'end of input', 'SIGTERM']);
});

test('an agent whose process ended between two turns cannot continue without a way to resume', async () => {
  const { target, notes } = talker('leaves');
  await using session = await target.open(worldOf(), signal);
  expect(said(await ask(session, 'one'))).toEqual(['prompt 1: one']);
  await expect
    .poll(async () => await ask(session, 'two').catch(String))
    .toContain('the agent takes only one message per session, but the case has more');
  expect(notes().filter((line) => line === 'start').length).toBeGreaterThan(1);
});

test('an agent that fails after its input has ended did not succeed', async () => {
  const { target } = talker('fails');
  const session = await target.open(worldOf(), signal);
  expect(said(await ask(session, 'one'))).toEqual(['prompt 1: one']);
  await expect(session[Symbol.asyncDispose]()).rejects.toMatchObject({
    kind: 'runner-crash',
    message: expect.stringContaining('reported success but ended with exit code 3'),
  });
});

test('an agent that failed between two turns did not succeed in the first', async () => {
  const started = countStarted();
  const { target, notes } = talker('breaks,loads');
  const session = await target.open(worldOf(), signal);
  expect(said(await ask(session, 'one'))).toEqual(['prompt 1: one']);
  await expect.poll(started).toBe(0);
  expect(said(await ask(session, 'two'))).toEqual(['prompt 1: two']);
  await expect(session[Symbol.asyncDispose]()).rejects.toMatchObject({
    kind: 'runner-crash',
    message: expect.stringContaining('reported success but ended with exit code 3'),
  });
  expect(notes().filter((line) => line === 'start')).toHaveLength(2);
});
