import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ask, servicesOf, targetContract, temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import {
  fakeEnv,
  installFakeAgent,
  recordingOf,
  startsIn,
  type FakePlan,
} from '../../../test/support/fake-agent.ts';
import type { Target } from '../../core/target.ts';
import type { JsonObject } from '../../lib/json.ts';
import { claudeCode } from '../claude-code/config.ts';
import type { AgentAdapter } from './adapter.ts';
import { agentTarget } from './agent-target.ts';
import { textAt } from './fields.ts';

const { signal } = new AbortController();

/** A target of Claude Code whose program is the fake agent. */
function claude(plan: FakePlan): Target {
  const bin = join(temporaryFolder(), 'bin');
  installFakeAgent(bin, ['claude']);
  const env = fakeEnv({ version: '2.1.330', ...plan });
  const PATH = `${bin}:/usr/local/bin:/usr/bin:/bin`;
  const services = servicesOf({ env, environment: { PATH, ...env } });
  return agentTarget(claudeCode).create({ model: 'm' }, services);
}

targetContract('a coding agent', {
  answering: () => claude({ recording: recordingOf('claude-code', '2.1.330/text') }),
  hanging: () => claude({ silentMs: 600_000 }),
});

describe('a session of a coding agent', () => {
  test('continues its own session in the second turn, and numbers all steps consecutively', async () => {
    const seen = join(temporaryFolder(), 'seen.jsonl');
    await using target = disposable(
      claude({ seen, recording: recordingOf('claude-code', '2.1.197/tool-loop') }),
    );
    const history = [{ role: 'system', parts: [{ text: 'Be brief.' }] }] as const;
    const workspace = { directory: temporaryFolder() };
    await using session = await target.open(worldOf({ history, workspace }), signal);
    const first = await ask(session, 'one');
    const second = await ask(session, 'two');
    expect(startsIn(seen).map(({ args }) => args.slice(4))).toEqual([
      [
        '--model',
        'm',
        '--session-id',
        expect.any(String),
        '--dangerously-skip-permissions',
        '--',
        '<system>\nBe brief.\n</system>\n\none',
      ],
      [
        '--model',
        'm',
        '--resume',
        'a2c07952-da63-46b7-92ac-e3381d0103b3',
        '--dangerously-skip-permissions',
        '--',
        'two',
      ],
    ]);
    const [one, two] = [first, second].map(({ entries }) => entries.flatMap(({ step }) => step ?? []));
    expect([one, two]).toEqual([
      [1, 1, 2, 2, 3],
      [4, 4, 5, 5, 6],
    ]);
    const [paidFirst, paidSecond] = [first, second].map(({ entries }) =>
      entries.flatMap((entry) => (entry.type === 'usage' ? [entry.costUsd] : [])),
    );
    expect([paidFirst, paidSecond]).toEqual([[0.01243125], [0]]);
    const sessionId = 'a2c07952-da63-46b7-92ac-e3381d0103b3';
    expect([first.end, second.end]).toEqual([
      { sessionId, artifacts: ['stdout.log'] },
      { sessionId, artifacts: ['stdout-2.log'] },
    ]);
  });

  test('in a directory of the user asks the agent to keep its own rules', async () => {
    const seen = join(temporaryFolder(), 'seen.jsonl');
    await using target = disposable(claude({ seen, recording: recordingOf('claude-code', '2.1.330/text') }));
    const workspace = { directory: temporaryFolder(), isForeign: true } as const;
    await using session = await target.open(worldOf({ workspace }), signal);
    await ask(session, 'one');
    expect(startsIn(seen)[0]?.args).not.toContain('--dangerously-skip-permissions');
  });

  test('reports an untested major version once, outside of turns', async () => {
    const recording = recordingOf('claude-code', '2.1.330/text');
    await using target = disposable(claude({ version: '3.0.1 (Claude Code)', recording }));
    await target.prepare?.(signal);
    await using session = await target.open(worldOf(), signal);
    expect((await ask(session, 'one')).end.notes).toBeUndefined();
    expect([target.notes?.(), target.versions?.()]).toEqual([
      ['claude has version 3.0.1; assay was tested with 2.1.197, 2.1.330'],
      { claude: '3.0.1' },
    ]);
    await using tried = disposable(claude({ version: '2.9.0', recording }));
    await tried.prepare?.(signal);
    expect(tried.notes?.()).toEqual([]);
  });
});

test('attempts of an agent with an expensive cache share one, which is removed with the target', async () => {
  const folder = temporaryFolder();
  const seen = join(folder, 'seen.jsonl');
  installFakeAgent(folder, ['claude']);
  const env = fakeEnv({ seen, recording: recordingOf('claude-code', '2.1.330/text') });
  const services = servicesOf({
    env,
    environment: { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`, ...env },
  });
  const target = agentTarget({ ...claudeCode, sharesCache: true }).create({ model: 'm' }, services);
  for (const attempt of [1, 2]) {
    const workspace = { directory: temporaryFolder() };
    await using session = await target.open(worldOf({ attempt, workspace }), signal);
    await ask(session, 'one');
  }
  const [first = '', ...others] = startsIn(seen).map((start) => start.env['XDG_CACHE_HOME']);
  expect(others).toEqual([first]);
  expect(existsSync(first)).toBe(true);
  await target[Symbol.asyncDispose]?.();
  expect(existsSync(first)).toBe(false);
});

/** Asks for more, then says what it heard, without its quotes. */
const TALKER = `#!/bin/sh
read hello; echo '{"asks":"more"}'
read more; echo "{\\"text\\":\\"$(echo "$hello $more" | tr -d '"')\\"}"
cat > /dev/null; exit 0
`;

test('a program can be talked to over stdin, which is closed when its turn is over', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'talker'), TALKER);
  chmodSync(join(folder, 'talker'), 0o755);
  const talker: AgentAdapter = {
    ...claudeCode,
    programs: ['talker'],
    launch: () => ({ args: [] }),
    leaves: () => [],
    parser: () => ({
      opening: [{ say: 1 }],
      line: (event: JsonObject) => {
        const text = textAt(event, 'text');
        return text === undefined ? { send: [{ say: 2 }] } : { terminal: { ok: true, text } };
      },
      end: () => ({}),
    }),
  };
  const services = servicesOf({ environment: { PATH: `${folder}:/usr/bin:/bin` } });
  await using target = disposable(agentTarget(talker).create({ model: 'm' }, services));
  await using session = await target.open(worldOf(), signal);
  const { entries } = await ask(session, 'hello');
  expect(entries).toEqual([{ type: 'message', role: 'assistant', parts: [{ text: '{say:1} {say:2}' }] }]);
});

function disposable(target: Target): Target & AsyncDisposable {
  return { ...target, [Symbol.asyncDispose]: async () => await target[Symbol.asyncDispose]?.() };
}

describe('files of the agent', () => {
  const recording = recordingOf('claude-code', '2.1.330/text');

  /** Claude Code with other keys, and an operator who has a folder of settings. */
  function settled(config: object, operatorEnvironment: Readonly<Record<string, string>> = {}): Target {
    const bin = join(temporaryFolder(), 'bin');
    installFakeAgent(bin, ['claude']);
    const env = fakeEnv({ version: '2.1.330', recording });
    const PATH = `${bin}:/usr/local/bin:/usr/bin:/bin`;
    const services = servicesOf({ env, environment: { PATH, ...env }, operatorEnvironment });
    return agentTarget(claudeCode).create({ model: 'm', ...config }, services);
  }

  test("is looked for in the operator's folder of settings when the agent has that", async () => {
    const CLAUDE_CONFIG_DIR = temporaryFolder();
    const [first = ''] = readFileSync(recording, 'utf8').split('\n');
    const id = (JSON.parse(first) as { readonly session_id: string }).session_id;
    mkdirSync(join(CLAUDE_CONFIG_DIR, 'projects/p'), { recursive: true });
    writeFileSync(join(CLAUDE_CONFIG_DIR, `projects/p/${id}.jsonl`), '{}');
    await using target = disposable(settled({ inheritConfig: true }, { CLAUDE_CONFIG_DIR }));
    await using session = await target.open(worldOf(), signal);
    const { end } = await ask(session, 'one');
    expect(end.artifacts).toContain('session.jsonl');
  });

  test('keeps a turn from being measured when it cannot be read', async () => {
    await using target = disposable(settled({ files: { '.claude/projects': 'no folder' } }));
    await using session = await target.open(worldOf(), signal);
    await expect(ask(session, 'one')).rejects.toMatchObject({ kind: 'normalization', detail: 'collection' });
  });
});
