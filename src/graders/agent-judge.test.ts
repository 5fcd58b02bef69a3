import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import { folderOfTest } from '../../test/support/test-folders.ts';
import { modelServer } from '../../test/support/model-server.ts';
import { holdsAnyOf, splitAtFence } from '../../test/attacks/obeying-judge.ts';
import type { Asked } from '../models/mock-server/protocol.ts';
import type { Reply } from '../models/mock-server/script.ts';
import { agentJudge } from './agent-judge.ts';
import { judgedBy, servicesOver } from '../../test/support/judging.ts';
import { workspaceTools } from './judge/workspace-tools.ts';

let directory = '';

beforeEach(() => {
  const root = folderOfTest('assay-judge-test-');
  directory = join(root, 'workspace');
  mkdirSync(join(directory, 'src'), { recursive: true });
  mkdirSync(join(directory, '.git'));
  writeFileSync(join(root, 'secret.txt'), 'outside');
  writeFileSync(join(directory, '.git', 'config'), 'inner');
  writeFileSync(join(directory, 'src', 'a.ts'), 'one\ntwo\nThree\n');
  writeFileSync(join(directory, 'picture'), Buffer.from([0, 1, 2]));
  symlinkSync('../secret.txt', join(directory, 'link'));
});

const good = { score: 0.9, reasoning: 'the file is there', evidence: [] };
const read = { name: 'read_file', input: { path: 'src/a.ts', from_line: 1, lines: 10 } };

async function judgement(
  replyTo: (asked: Asked) => Reply,
  config: object = {},
  redact = (text: string) => text,
) {
  const server = await modelServer({}, { replyTo, records: true });
  const subject = { answer: 'done', workspace: { directory, changes: async () => [] } };
  const findings = await judgedBy(
    agentJudge,
    { prompt: 'Is the work done?', ...config },
    { services: servicesOver(server.url, { redact, settings: { price: { input: 1, output: 1 } } }), subject },
  );
  return { findings, server };
}

describe('agent_judge over the wire', () => {
  test('the judge looks, then decides; everything it asked is paid for', async () => {
    const seen: string[] = [];
    const { findings, server } = await judgement(({ toolResults, messages }) => {
      seen.push(messages.at(-1)?.text ?? '');
      const usage = { input: 10, output: 1 };
      return toolResults === 0 ? { toolCalls: [read], usage } : { json: good, usage };
    });
    expect(findings).toMatchObject([
      {
        score: 0.9,
        reason: 'the file is there',
        costUsd: 0.000022,
        usage: { totalTokens: 22 },
        details: { answers: 2 },
      },
    ]);
    expect(server.counts().total).toBe(2);
    expect(seen[1]).toContain(
      'tool result: {"path":"src/a.ts","from_line":1,"lines_of_file":4,"content":"one\\ntwo\\nThree\\n"}',
    );
  });

  test('rubrics are judged item by item', async () => {
    const checks = [{ id: 'tidy', satisfied: false, reasoning: 'a mess' }];
    const { findings } = await judgement(() => ({ json: { checks, reasoning: 'no' } }), {
      rubrics: [{ id: 'tidy', outcome: 'is tidy', required: true }],
    });
    expect(findings).toMatchObject([
      { score: 0, reason: '0 of 1 items are met\ntidy: a mess' },
      { part: 'tidy', score: 0, required: 0.8 },
    ]);
  });

  test('a judge that never stops looking has to answer at its last step', async () => {
    const { findings, server } = await judgement(
      ({ messages }) =>
        messages.at(-1)?.text.startsWith('You have looked enough') === true
          ? { json: good }
          : { toolCalls: [read] },
      { max_steps: 3 },
    );
    expect(findings).toMatchObject([{ score: 0.9 }]);
    expect(server.counts().total).toBe(3);
  });

  test('keeps its tool results when it is asked again', async () => {
    let answers = 0;
    const { findings, server } = await judgement(({ toolResults }) => {
      if (toolResults === 0) return { toolCalls: [read] };
      answers += 1;
      return answers === 1 ? { text: 'Looks good.' } : { json: good };
    });
    expect(findings).toMatchObject([{ score: 0.9, details: { answers: 3 } }]);
    expect(server.counts().total).toBe(3);
  });

  test('an impossible call gets an error, and the judge continues', async () => {
    const calls = [
      { name: 'read_file', input: { path: '../secret.txt', from_line: 1, lines: 1 } },
      { name: 'delete_file', input: {} },
      { name: 'read_file', input: { file: 'x' } },
    ];
    const seen: string[] = [];
    const { findings } = await judgement(({ toolResults, messages }) => {
      seen.push(...messages.filter(({ role }) => role === 'tool').map(({ text }) => text));
      return toolResults === 0 ? { toolCalls: calls } : { json: good };
    });
    expect(findings).toMatchObject([{ score: 0.9 }]);
    expect(seen).toEqual([
      'the path is outside the workspace',
      'unknown tool; known: list_files, read_file, search_files',
      'the arguments do not match the parameters of the tool',
    ]);
  });

  test('no attack in a file leaves the fence', async () => {
    const corpus = readFileSync(new URL('../../test/attacks/answers.jsonl', import.meta.url), 'utf8');
    for (const line of corpus.trim().split('\n')) {
      const { answer } = JSON.parse(line) as { readonly answer: string };
      writeFileSync(join(directory, 'src', 'a.ts'), answer.replaceAll('\0', ''));
      let isOutside: boolean | undefined;
      let own = '';
      await judgement(({ toolResults, messages }) => {
        const { outside } = splitAtFence(messages);
        if (toolResults === 0) {
          own = outside;
          return { toolCalls: [read] };
        }
        isOutside = holdsAnyOf(outside, answer, own);
        return { json: good };
      });
      expect(isOutside).toBe(false);
    }
  });

  test('secrets in files are taken out', async () => {
    writeFileSync(join(directory, 'src', 'a.ts'), 'password hunter22');
    const { server } = await judgement(
      ({ toolResults }) => (toolResults === 0 ? { toolCalls: [read] } : { json: good }),
      {},
      (text) => text.replaceAll('hunter22', '[redacted:X]'),
    );
    const sent = JSON.stringify(server.requests);
    expect(sent).toContain('password [redacted:X]');
    expect(sent).not.toContain('hunter22');
  });

  test.each([
    [
      'a coding agent as judge',
      { target: 'claude' },
      {},
      'a coding agent as judge is not supported yet (target: claude) (remove `target`; the judge then reads the workspace with read-only tools)',
    ],
    ['a missing workspace', {}, {}, 'agent_judge needs a workspace, but the trial of "case" has none'],
    [
      'a stored workspace that a secret was taken out of',
      {},
      { workspace: { directory: '/kept', redacted: ['.env'], changes: async () => [] } },
      'the kept workspace differs from what the agent left, because secrets were removed from .env; run the case again to grade it',
    ],
  ])('%s is a clear error', async (_, more, subject, message) => {
    const config = { prompt: 'done?', ...more };
    const asked = judgedBy(agentJudge, config, { services: servicesOver('http://127.0.0.1:1'), subject });
    await expect(asked).rejects.toThrow(message);
  });
});

describe('tools over a workspace', () => {
  const call = (name: string, input: object) => workspaceTools(directory).call(name, input as never);

  test('list_files lists plain files, not links and not the insides of .git', async () => {
    expect(await call('list_files', { path: '.' })).toEqual({
      files: [
        { path: 'picture', bytes: 3 },
        { path: 'src/a.ts', bytes: 14 },
      ],
    });
    expect(await call('list_files', { path: 'src' })).toEqual({ files: [{ path: 'src/a.ts', bytes: 14 }] });
  });

  test('read_file gives lines', async () => {
    expect(await call('read_file', { path: 'src/a.ts', from_line: 2, lines: 1 })).toEqual({
      path: 'src/a.ts',
      from_line: 2,
      lines_of_file: 4,
      content: 'two',
    });
  });

  test('search_files finds a text, ignoring case, and reports how many files were skipped', async () => {
    const hits = [{ path: 'src/a.ts', line: 3, text: 'Three' }];
    expect(await call('search_files', { text: 'THREE', path: 'src' })).toEqual({ hits });
    expect(await call('search_files', { text: 'THREE', path: '.' })).toEqual({
      hits,
      not_searched: '1 file: too large, not text, or beyond the first 5000',
    });
  });

  test.each([
    ['../secret.txt', 'the path is outside the workspace'],
    ['/etc/passwd', 'the path is outside the workspace'],
    ['link', 'the path is outside the workspace'],
    ['src/../../secret.txt', 'the path is outside the workspace'],
    ['nothing', 'file or folder not found'],
    ['src', 'it is not a file'],
    ['picture', 'it is not a text file'],
  ])('%s is refused', async (path, message) => {
    await expect(call('read_file', { path })).rejects.toThrow(message);
  });
});
