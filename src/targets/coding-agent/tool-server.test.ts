import { describe, expect, test } from 'vitest';

import { claudeCode } from '../claude-code/config.ts';
import { codex } from '../codex/config.ts';
import { copilot } from '../copilot/config.ts';
import { gemini } from '../gemini/config.ts';
import { opencode } from '../opencode/config.ts';
import { qwen } from '../qwen/config.ts';
import type { AgentTurn, Launch } from './adapter.ts';
import { agentTarget } from './agent-target.ts';
import { turnWith } from './turn.fixture.ts';

const turn = turnWith({ prompt: 'hello', directory: '/work', scratch: '/scratch' });
const mcp = { command: ['/node', '/relay.js', '/s'], environment: { A: 'b' } };
const server = { command: '/node', args: ['/relay.js', '/s'], env: { A: 'b' } };

/** What a server adds to a launch: arguments, variables, files as JSON. */
function added(launch: (given: AgentTurn) => Launch) {
  const [without, told] = [launch(turn), launch({ ...turn, mcp })];
  const parsed = (files: Launch['files'] = {}) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, JSON.parse(text) as unknown]));
  expect([without.files, without.homeFiles]).toEqual([undefined, undefined]);
  return {
    args: told.args.filter((argument) => !without.args.includes(argument)),
    env: Object.entries(told.env ?? {}).filter(([name]) => !(name in (without.env ?? {}))),
    files: parsed(told.files),
    homeFiles: parsed(told.homeFiles),
  };
}

const nothing = { args: [], env: [], files: {}, homeFiles: {} };

describe('a program gets the address of the server of the tools', () => {
  test('claude-code by a file that replaces all others', () => {
    expect(added(claudeCode.launch)).toEqual({
      ...nothing,
      args: ['--mcp-config', '/scratch/mcp.json', '--strict-mcp-config'],
      files: { 'mcp.json': { mcpServers: { tools: server } } },
    });
  });

  test('codex by an argument in TOML', () => {
    const toml = 'mcp_servers.tools={command="/node",args=["/relay.js","/s"],env={A="b"}}';
    expect(added(codex.launch)).toEqual({ ...nothing, args: [toml] });
  });

  test('copilot by a file', () => {
    expect(added(copilot.launch)).toEqual({
      ...nothing,
      args: ['--additional-mcp-config', '@/scratch/mcp.json'],
      files: { 'mcp.json': { mcpServers: { tools: { ...server, type: 'local', tools: ['*'] } } } },
    });
  });

  test('gemini by an extension of its home', () => {
    expect(added(gemini.launch)).toEqual({
      ...nothing,
      homeFiles: {
        '.gemini/extensions/tools/gemini-extension.json': {
          name: 'tools',
          version: '1.0.0',
          mcpServers: { tools: server },
        },
      },
    });
  });

  test('qwen by settings over those of its home', () => {
    expect(added(qwen.launch)).toEqual({
      ...nothing,
      env: [['QWEN_CODE_SYSTEM_SETTINGS_PATH', '/scratch/settings.json']],
      files: { 'settings.json': { mcpServers: { tools: { ...server, trust: true } } } },
    });
  });

  test('opencode by a config in a variable', () => {
    const { env, ...rest } = added(opencode.launch);
    expect(rest).toEqual({ args: [], files: {}, homeFiles: {} });
    expect(env.map(([name, text]) => [name, JSON.parse(text) as unknown])).toEqual([
      [
        'OPENCODE_CONFIG_CONTENT',
        {
          mcp: {
            tools: { type: 'local', command: mcp.command, environment: { A: 'b' }, enabled: true },
          },
        },
      ],
    ]);
  });
});

test('files of a private home are impossible with the operator’s settings', () => {
  const way = (adapter: typeof gemini, config: AgentTurn['config']) =>
    agentTarget(adapter).reachesTools?.(config);
  expect([way(gemini, {}), way(gemini, { inheritConfig: true })]).toEqual(['mcp', undefined]);
  expect([way(claudeCode, {}), way(claudeCode, { inheritConfig: true })]).toEqual(['mcp', 'mcp']);
});
