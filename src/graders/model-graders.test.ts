import { describe, expect, test } from 'vitest';

import { rubricList } from './judge/rubric-list.ts';
import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { agentJudge } from './agent-judge.ts';
import { llmJudge } from './llm-judge.ts';
import { rubrics } from './rubrics.ts';
import { problemsOf } from './subject.fixture.ts';

const all: readonly GraderPlugin[] = [llmJudge, rubrics, agentJudge];

test.each(all.map((plugin) => [plugin.type, plugin] as const))('%s is available', (_, plugin) => {
  expect(plugin.notYet).toBe(undefined);
});

describe('llm_judge', () => {
  test('every key loads', () => {
    const config = {
      prompt: 'Is {{ answer }} like {{ reference }} for {{ sidecar.language }} and {{vars.name}}?',
      rubrics: ['polite', { id: 'short', outcome: 'is short' }],
      judge: { model: 'openai/gpt', temperature: 0 },
      samples: 3,
      overflow: 'head_tail',
      config: { riskLevel: 'high' },
    };
    expect(llmJudge.config.parse(config)).toEqual({
      ...config,
      rubrics: ['polite', { id: 'short', outcome: 'is short', weight: 1 }],
    });
    expect(llmJudge.config.parse({ judge: 'gpt4_target' })).toEqual({ judge: 'gpt4_target' });
  });

  test('a name that no template knows is a problem of the prompt', () => {
    expect(problemsOf(llmJudge, { prompt: 'Compare {{ anwser }} with {{ expected.text }}' })).toEqual([
      'prompt: unknown name {{ anwser }} in a prompt (did you mean answer?)',
      'prompt: unknown name {{ expected.text }} in a prompt (known: question, criteria, answer, reference, input, output, transcript, metadata, sidecar, vars, changes, rubrics, config)',
    ]);
  });

  test('a name inside of a text, or one that is not closed, is a problem of the prompt', () => {
    const prompt =
      'Rate {{ answer.foo }}, {{ answer for politeness and {{ vars.tone }} like {{this}} {{ or that';
    expect(problemsOf(llmJudge, { prompt })).toEqual([
      'prompt: unknown name {{ answer.foo }} in a prompt (answer is a text and has no keys)',
      expect.stringMatching(/^prompt: unknown name \{\{ this \}\} in a prompt/),
      'prompt: {{ answer is not closed (write {{ answer }})',
    ]);
  });

  test('a judge of the grader is written in our keys', () => {
    const settings = { temperature: 0.2, max_output_tokens: 9, max_input_chars: 99, timeout_ms: 5 };
    expect(llmJudge.judge?.({ judge: { model: 'openai/gpt', ...settings } })).toEqual({
      model: 'openai/gpt',
      temperature: 0.2,
      maxOutputTokens: 9,
      maxInputChars: 99,
      timeoutMs: 5,
    });
    expect(llmJudge.judge?.({ judge: 'gpt4_target' })).toBe('gpt4_target');
    expect(llmJudge.judge?.({})).toBe(undefined);
    expect(problemsOf(llmJudge, { judge: { model: 'openai/gpt', temprature: 0 } })).toEqual([
      'judge: Unrecognized key: "temprature"',
    ]);
  });

  test('invalid configurations are refused with their place', () => {
    expect(problemsOf(llmJudge, { promt: 'x', samples: 0, overflow: 'cut', prompt: ' ' })).toEqual([
      'prompt: is empty',
      expect.stringMatching(/^samples: /),
      'overflow: must be head_tail; without it, material that is too long is an error',
      ': Unrecognized key: "promt"',
    ]);
    expect(problemsOf(llmJudge, { judge: { temperature: 0 } })).toEqual([
      'judge: must be the name of a target, or a mapping with `model`',
    ]);
  });

  test.each([
    ['./judges/depth.md', ['./judges/depth.md']],
    ['../a', ['../a']],
    ['/judges/a', ['/judges/a']],
    ['file://judges/a', ['judges/a']],
    ['depth.md', ['depth.md']],
    ['depth.txt\n', ['depth.txt']],
    ['Is it good?', []],
    ['Look:\n./depth.md', []],
    ['Is it like notes.md or not?', []],
  ])('the prompt %j names the files %j', (prompt, files) => {
    expect(llmJudge.files?.({ prompt })).toEqual(files);
  });

  test('reads the criteria without a prompt, or if the prompt names them', () => {
    expect(llmJudge.readsCriteria?.({})).toBe(true);
    expect(llmJudge.readsCriteria?.({ prompt: 'meets {{criteria}}?' })).toBe(true);
    expect(llmJudge.readsCriteria?.({ prompt: 'good?' })).toBe(false);
    expect(llmJudge.readsReference?.({ prompt: 'like {{reference}}?' })).toBe(true);
    expect(llmJudge.readsReference?.({})).toBe(false);
  });
});

describe('rubrics', () => {
  test('texts and items load, with their weight', () => {
    const bands = [
      { score_range: [0, 4], outcome: 'poor' },
      { score_range: [5, 10], outcome: 'good' },
    ];
    const criteria = [
      'is polite',
      { id: 'accuracy', outcome: 'names the party', weight: 5, required: true },
      { id: 'depth', outcome: 'goes deep', required: 0.6, score_ranges: bands },
    ];
    expect(rubrics.config.parse({ criteria, samples: 3 })).toEqual({
      criteria: [criteria[0], criteria[1], { ...(criteria[2] as object), weight: 1 }],
      samples: 3,
    });
    expect(rubrics.readsCriteria).toBe(undefined);
  });

  test.each([
    ['no items', { criteria: [] }, ['criteria: must have at least one item']],
    [
      'an item without an outcome',
      { criteria: [{ id: 'a' }] },
      ['criteria.0.outcome: is missing; it is required without `score_ranges`'],
    ],
    [
      'the same id twice',
      {
        criteria: [
          { id: 'a', outcome: 'x' },
          { id: 'a', outcome: 'y' },
        ],
      },
      ['criteria.1.id: duplicate id a: an earlier item has it too'],
    ],
    [
      'items that all weigh nothing',
      { criteria: [{ id: 'a', outcome: 'x', weight: 0 }] },
      ['criteria: nothing would be graded: every item has weight 0 and none is required'],
    ],
    [
      'bands that overlap',
      {
        criteria: [
          {
            id: 'a',
            outcome: 'x',
            score_ranges: [
              { score_range: [4, 9], outcome: 'b' },
              { score_range: [0, 4], outcome: 'a' },
            ],
          },
        ],
      },
      ['criteria.0.score_ranges.0.score_range: overlaps another band at 4'],
    ],
  ])('%s is a problem', (_, config, problems) => {
    expect(problemsOf(rubrics, config)).toEqual(problems);
  });
});

test('bands by their lower ends, a least score of ten and an item without outcome are the same as written out', () => {
  const written = rubrics.config.parse({
    criteria: [
      { id: 'a', required_min_score: 7, score_ranges: { 10: 'right', 0: 'wrong', 3: 'half' } },
      { id: 'b', outcome: 'is brief', required_min_score: 0 },
    ],
  });
  expect(rubricList(written.criteria)).toEqual([
    {
      id: 'a',
      outcome: 'the band that fits',
      weight: 1,
      required: 0.7,
      bands: [
        { from: 0, to: 2, outcome: 'wrong' },
        { from: 3, to: 9, outcome: 'half' },
        { from: 10, to: 10, outcome: 'right' },
      ],
    },
    { id: 'b', outcome: 'is brief', weight: 1 },
  ]);
});

test.each([
  [{ id: 'a' }, 'criteria.0.outcome: is missing; it is required without `score_ranges`'],
  [{ id: 'a', score_ranges: { 3: 'x' } }, 'criteria.0.score_ranges: the lowest band must start at 0'],
  [
    { id: 'a', outcome: 'x', required: true, required_min_score: 7 },
    'criteria.0.required_min_score: cannot be used together with `required`',
  ],
])('the item %j is refused', (item, told) => {
  const issues = rubrics.config.safeParse({ criteria: [item] }).error?.issues ?? [];
  const flat = issues.flatMap((issue) =>
    issue.code === 'invalid_union'
      ? issue.errors.flat().map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
      : [issue],
  );
  expect(flat.map(({ path, message }) => `${path.join('.')}: ${message}`)).toContain(told);
});

describe('agent_judge', () => {
  test('every key loads', () => {
    const config = { prompt: './review.md', rubrics: ['tidy'], target: 'claude', max_steps: 20 };
    expect(agentJudge.config.parse(config)).toEqual(config);
    expect(agentJudge.files?.(config)).toEqual(['./review.md']);
    expect(agentJudge.asksJudge?.(config)).toBe(false);
    expect(agentJudge.asksJudge?.({ prompt: 'x' })).toBe(true);
  });

  test('invalid configurations are refused with a reason', () => {
    expect(problemsOf(agentJudge, { target: 'claude' })).toEqual([': needs a prompt or rubrics']);
    expect(problemsOf(agentJudge, { prompt: 'x', target: 'a', judge: 'b' })).toEqual([
      'target: takes a judge or a target, not both',
    ]);
  });
});

test('all schemas have a form for editors', () => {
  for (const { config } of all) {
    expect(z.toJSONSchema(config, { io: 'input', unrepresentable: 'any', target: 'draft-7' })).toMatchObject({
      type: 'object',
    });
  }
});
