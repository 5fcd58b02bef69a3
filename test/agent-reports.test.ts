import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { reportOf } from '../src/core/report-of.ts';
import type { SessionReport } from '../src/core/session-report.ts';
import type { Yielded } from '../src/core/target.ts';
import { tokensOf, type TranscriptEntry } from '../src/core/transcript.ts';
import { addUsage, type Usage } from '../src/core/usage.ts';
import { claudeCode } from '../src/targets/claude-code/config.ts';
import type { AgentAdapter } from '../src/targets/coding-agent/adapter.ts';
import { toolEffects } from '../src/targets/coding-agent/tool-effects.ts';
import { turnReader } from '../src/targets/coding-agent/turn-reader.ts';
import { codex } from '../src/targets/codex/config.ts';
import { copilot } from '../src/targets/copilot/config.ts';
import { gemini } from '../src/targets/gemini/config.ts';
import { opencode } from '../src/targets/opencode/config.ts';
import { qwen } from '../src/targets/qwen/config.ts';
import { recordingOf } from './support/fake-agent.ts';

const DIRECTORY = '/workspace/project';

interface Reported {
  readonly row: Usage | undefined;
  readonly report: SessionReport;
}

/** What a row and a report say of lines that an agent printed. */
function reported(adapter: AgentAdapter, lines: readonly string[]): Reported {
  const effectsOf = toolEffects(adapter.tools, { workspace: DIRECTORY, home: '/home/agent' });
  const reader = turnReader(adapter.parser({ effectsOf, earlier: {} }));
  const entries: Yielded[] = lines.flatMap((line) => reader.line(line));
  entries.push(...reader.end({ exitCode: 0, signal: null, stderr: '', files: {} }));
  const transcript = entries.map(
    (entry, index) =>
      ({ at: '2026-01-01T00:00:00.000Z', ...entry, id: `e${index}`, turn: 1 }) as TranscriptEntry,
  );
  let row: Usage | undefined;
  for (const entry of transcript) {
    const tokens = entry.type === 'usage' && entry.auxiliary !== true ? tokensOf(entry) : undefined;
    if (tokens !== undefined) row = addUsage(row, tokens);
  }
  const runner = { id: 'r', pathKey: 'r', agent: { type: adapter.type, model: 'm' } };
  return { row, report: reportOf(transcript, { runner, prompt: 'go', usage: row }) };
}

function linesOf(type: string, scenario: string): readonly string[] {
  return readFileSync(recordingOf(type, scenario), 'utf8').trimEnd().split('\n');
}

function numbersOf({ report }: Reported) {
  const { inputTokens, outputTokens, reasoningTokens, cacheTokens, cacheWriteTokens, totalTokens, source } =
    report.usage;
  return {
    inputTokens,
    outputTokens,
    reasoningTokens,
    cacheTokens,
    cacheWriteTokens,
    totalTokens,
    reasoning: source.reasoning,
  };
}

describe('rows count all tokens, and reports keep the published meaning', () => {
  test('of Claude Code, whose cache is beside its input', () => {
    const told = reported(claudeCode, linesOf('claude-code', '2.1.197/tool-loop'));
    expect(told.row).toMatchObject({ inputTokens: 3333, outputTokens: 153, totalTokens: 3486 });
    expect(numbersOf(told)).toEqual({
      inputTokens: 3333,
      outputTokens: 153,
      reasoningTokens: undefined,
      cacheTokens: 1800,
      cacheWriteTokens: 33,
      totalTokens: 1686,
      reasoning: 'chars',
    });
  });

  test.each([
    ['Codex', codex, '0.169.0/tool-loop'],
    ['opencode', opencode, '1.18.33/tool-loop'],
  ] as const)('of %s, whatever it counts where', (_, adapter, scenario) => {
    const told = reported(adapter, linesOf(adapter.type, scenario));
    expect(told.row).toMatchObject({ inputTokens: 3300, outputTokens: 153, totalTokens: 3453 });
    expect(numbersOf(told)).toEqual({
      inputTokens: 3300,
      outputTokens: 132,
      reasoningTokens: 21,
      cacheTokens: 1800,
      cacheWriteTokens: 0,
      totalTokens: 1653,
      reasoning: 'provider',
    });
  });

  test('of Gemini CLI, whose thoughts are in its total alone', () => {
    const told = reported(gemini, linesOf('gemini', '0.61.0/tool-loop'));
    expect(told.row).toMatchObject({ inputTokens: 3300, outputTokens: 174, totalTokens: 3474 });
    expect(numbersOf(told)).toMatchObject({ outputTokens: 153, reasoningTokens: 21, reasoning: 'derived' });
  });

  test('of Qwen Code, by its messages, also where its result says twice as much', () => {
    const lines = linesOf('qwen', '0.24.4/tool-loop');
    const twice = lines.map((line) =>
      line.startsWith('{"type":"result"')
        ? line.replace('"input_tokens":3300,"output_tokens":153', '"input_tokens":6600,"output_tokens":306')
        : line,
    );
    expect(twice).not.toEqual(lines);
    expect(reported(qwen, twice).row).toMatchObject({ inputTokens: 3300, outputTokens: 153 });
  });
});

test('a wrapped command of Codex is one command without its wrapper, one read and a skill', () => {
  const item = {
    id: 'item_0',
    type: 'command_execution',
    command: "/bin/bash -lc 'cd skills/a && head -n 20 SKILL.md'",
    aggregated_output: 'x',
    exit_code: 0,
    status: 'completed',
  };
  const { report } = reported(codex, [
    JSON.stringify({ type: 'item.completed', item }),
    JSON.stringify({ type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } }),
  ]);
  const path = `${DIRECTORY}/skills/a/SKILL.md`;
  const commands = report.events.flatMap((event) => (event.type === 'command' ? [event.command] : []));
  expect(commands).toEqual(['cd skills/a && head -n 20 SKILL.md']);
  expect(report.files).toEqual({ observedReads: [path], observedSkillReads: [path] });
  expect(report.detectedSkills).toEqual([{ skill: 'a', confidence: 'strong', evidence: [`Read ${path}`] }]);
});

test.each([
  ['claude-code', claudeCode, '2.1.330/tool-fail'],
  ['opencode', opencode, '1.18.33/tool-fail'],
  ['copilot', copilot, '1.0.102/tool-fail'],
  ['codex', codex, '0.169.0/tool-fail'],
] as const)('a command of %s that failed to read stands, and is no read', (type, adapter, scenario) => {
  const { report } = reported(adapter as AgentAdapter, linesOf(type, scenario));
  const commands = report.events.flatMap((event) => (event.type === 'command' ? [event.command] : []));
  expect(commands).toEqual(['cat no-such-file']);
  expect(report.files.observedReads).toEqual([]);
});
