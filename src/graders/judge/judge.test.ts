import { describe, expect, test } from 'vitest';

import { gradeOf } from '../../core/grade.ts';
import { decide } from '../../core/verdict.ts';
import { modelServer } from '../../../test/support/model-server.ts';
import type { Reply } from '../../models/mock-server/script.ts';
import { withCassette } from '../../models/cassette.ts';
import { doorTo } from '../../models/door.fixture.ts';
import { temporaryFolder } from '../../../test/contracts/target.ts';
import { llmJudge } from '../llm-judge.ts';
import { rubrics } from '../rubrics.ts';
import { judgedBy, servicesOver, type JudgeSketch } from '../../../test/support/judging.ts';

const subject = { answer: 'Paris', case: { criteria: 'names the capital' } };

const USAGE = { input: 100, output: 20 };
const PRICE = { input: 1, output: 5 };

/** Answers in order, by how often the judge was asked; the last one stays. */
async function judgeSaying(replies: readonly Reply[]) {
  let asked = 0;
  return await modelServer(
    {},
    { records: true, replyTo: () => ({ usage: USAGE, ...replies[Math.min(asked++, replies.length - 1)] }) },
  );
}

async function verdictOf(replies: readonly Reply[], config: unknown = {}, sketch: JudgeSketch = {}) {
  const server = await judgeSaying(replies);
  const services = servicesOver(server.url, { ...sketch, settings: { price: PRICE, ...sketch.settings } });
  const [finding] = await judgedBy(llmJudge, config, { services, subject });
  return { finding, requests: server.requests, counts: server.counts() };
}

const good = { score: 0.9, reasoning: 'it is right', evidence: [{ text: 'Paris', passed: true }] };
const details = { judge: 'local/judge', promptDigest: expect.stringMatching(/^[0-9a-f]{64}$/), answers: 1 };
const spent = {
  model: 'local/judge',
  usage: { inputTokens: 100, cacheReadTokens: 0, outputTokens: 20, reasoningTokens: 0, totalTokens: 120 },
  costUsd: 0.0002,
};

describe('llm_judge over the wire', () => {
  test('a structured answer gives the score, with its reasons and its cost', async () => {
    const { finding } = await verdictOf([{ json: good }]);
    expect(finding).toEqual({
      score: 0.9,
      reason: 'it is right',
      evidence: [{ text: 'Paris', passed: true }],
      details: { ...details, injection: false },
      ...spent,
    });
  });

  test('the least answer that the contract names is enough', async () => {
    const { finding } = await verdictOf([
      { json: { score: 1, reasoning: 'yes', evidence: ['it says Paris'] } },
    ]);
    expect(finding).toMatchObject({ score: 1, evidence: [{ text: 'it says Paris', passed: true }] });
  });

  test('an object in a fence with prose round it is read', async () => {
    const text = `I thought about it.\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`\nThat is my verdict.`;
    const { finding, counts } = await verdictOf([{ text }]);
    expect(finding?.score).toBe(0.9);
    expect(counts.total).toBe(1);
  });

  test.each([
    ['braces in prose', `The set {1, 2} and { x: 1 } are [fine]. ${JSON.stringify(good)}`],
    ['a brace that is never closed', `It forgets a {, sadly.\n${JSON.stringify(good)}`],
    ['another object', `Its settings {"retries": 3} are right: ${JSON.stringify(good)}`],
    ['a fence and a quotation', `> "{"\n\`\`\`json\n${JSON.stringify(good, null, 2)}\n\`\`\`\n`],
  ])('%s around the one object is ignored', async (_, text) => {
    const { finding } = await verdictOf([{ text }]);
    expect(finding).toMatchObject({ score: 0.9, details: { answers: 1 } });
  });

  test.each([
    ['prose', { text: 'A fine answer, 9 of 10.' }, 'it contained no JSON object of the required form'],
    ['nothing', { text: '' }, 'it was empty'],
    ['a score above 1', { json: { ...good, score: 9 } }, 'score: is above 1'],
    ['a score below 0', { json: { ...good, score: -0.1 } }, 'score: is below 0'],
    ['a score as text', { json: { ...good, score: '0.9' } }, 'score: is missing, or is not of type number'],
    ['no score', { json: { reasoning: 'fine' } }, 'score: is missing, or is not of type number'],
    [
      'two valid objects',
      { text: `${JSON.stringify(good)}\n${JSON.stringify({ ...good, score: 0 })}` },
      'it contained 2 such objects, expected exactly one',
    ],
    [
      'a broken object before a valid one',
      { text: `{"score": 0.1, "reasoning": "bad", }\nI mean ${JSON.stringify(good)}` },
      'it contained 2 such objects, expected exactly one',
    ],
    [
      'a valid object before one that is cut off',
      { text: `${JSON.stringify(good)} or rather {reasoning: it is` },
      'it contained 2 such objects, expected exactly one',
    ],
    [
      'a valid object and one with a score of 9',
      { text: `${JSON.stringify({ ...good, score: 9 })} ${JSON.stringify(good)}` },
      'it contained 2 such objects, expected exactly one',
    ],
    [
      'a valid object and one in a list',
      { text: `[${JSON.stringify({ ...good, score: 0 })}] ${JSON.stringify(good)}` },
      'it contained 2 such objects, expected exactly one',
    ],
    [
      'a key that is there twice',
      { text: '{"score": 0, "reasoning": "it is right", "sc\\u006fre": 1}' },
      'the object has a duplicate key',
    ],
    ['a broken object', { text: '{"score": 0.9, "reasoning": it is right}' }, 'its JSON object is invalid'],
    [
      'a refusal',
      { text: 'I cannot help with that.', finish: 'content-filter' },
      'the provider withheld it (content filter)',
    ],
    [
      'an answer cut off',
      { text: '{"score": 0.9, "reas', finish: 'length' },
      'it was cut off before the JSON object was complete',
    ],
  ] as [string, Reply, string][])(
    '%s, three times, is a grader error and never a score',
    async (_, reply, fault) => {
      const { finding, counts } = await verdictOf([reply]);
      expect(finding).toEqual({
        score: null,
        reason: `could not be decided: the judge local/judge gave no usable answer in 3 attempts: ${fault}`,
        failureCode: 'judge-invalid',
        details: { ...details, answers: 3, answer: reply.text ?? JSON.stringify(reply.json) },
        model: 'local/judge',
        usage: {
          inputTokens: 300,
          cacheReadTokens: 0,
          outputTokens: 60,
          reasoningTokens: 0,
          totalTokens: 360,
        },
        costUsd: 0.0006,
      });
      expect(counts.total).toBe(3);
    },
  );

  test('after an unusable answer the judge is asked again with the mistake, and both answers cost', async () => {
    const { finding, requests } = await verdictOf([
      { text: 'Nice.' },
      { json: { ...good, score: 2 } },
      { json: good },
    ]);
    expect(finding).toMatchObject({ score: 0.9, costUsd: 0.0006, details: { answers: 3 } });
    const last = requests.map(({ body }) => JSON.stringify(body['messages']));
    expect(last[0]).not.toContain('could not be used');
    expect(last[1]).toContain(
      'An earlier answer of yours could not be used: it contained no JSON object of the required form.',
    );
    expect(last[2]).toContain('An earlier answer of yours could not be used: score: is above 1.');
    expect(last[1]).not.toContain('Nice.');
  });

  test('a recorded judge that never came to an answer is asked once more with auto, and then it counts', async () => {
    const nice = { text: 'Nice.' };
    const server = await judgeSaying([nice, nice, nice, { json: good }]);
    const options = { directory: temporaryFolder(), mode: 'auto', redact: <T>(value: T) => value } as const;
    const services = servicesOver(server.url, { models: withCassette(doorTo(server.url), options) });
    const scores = [];
    for (let run = 1; run <= 3; run++) {
      const [finding] = await judgedBy(llmJudge, {}, { services, subject });
      scores.push([finding?.score, server.counts().total]);
    }
    expect(scores).toEqual([
      [null, 3],
      [0.9, 4],
      [0.9, 4],
    ]);
  });

  test('the trial is errored with the detail, also with negate and threshold', async () => {
    const { finding } = await verdictOf([{ text: 'Nice.' }]);
    const expectation = { name: 'llm_judge', type: 'llm_judge', weight: 1, negate: true, config: {} };
    const grade = gradeOf(expectation, finding ?? { score: 1, reason: '' }, { durationMs: 1 });
    expect(grade).toMatchObject({ score: null, passed: false, failureCode: 'judge-invalid' });
    expect(decide([grade], 0)).toMatchObject({
      verdict: 'errored',
      score: null,
      error: { stage: 'grading', kind: 'grader', detail: 'judge-invalid' },
    });
  });

  test('a busy judge is asked again and then counts', async () => {
    const { finding, counts } = await verdictOf([{ status: 429 }, { json: good }]);
    expect(finding).toMatchObject({ score: 0.9, details: { answers: 1 } });
    expect(counts.byStatus).toEqual({ 200: 1, 429: 1 });
  });

  test('a judge that does not answer is reported as a timeout', async () => {
    const { finding } = await verdictOf([{ hang: true }], {}, { settings: { timeoutMs: 50 } });
    expect(finding).toEqual({
      score: null,
      reason:
        'could not be decided: the judge local/judge timed out: local/judge: the request timed out after 50 ms',
      failureCode: 'judge-timeout',
      details: { ...details, answers: 0 },
      costUsd: null,
    });
  });

  test('an answer that cannot be read may have cost something, and so does all that was asked with it', async () => {
    const { finding } = await verdictOf([{ text: 'Nice.' }, { json: good, malformed: true }]);
    expect(finding).toMatchObject({ score: null, failureCode: 'judge-unavailable', costUsd: null });
    expect(finding?.reason).toContain(
      'the judge local/judge gave an invalid answer: local/judge: the answer cannot',
    );
  });

  test('a judge that refuses the key is out of reach', async () => {
    const { finding } = await verdictOf([{ status: 401, message: 'bad key' }]);
    expect(finding?.costUsd).toBe(undefined);
    expect(finding).toMatchObject({ score: null, failureCode: 'judge-unavailable' });
    expect(finding?.reason).toContain(
      'could not be decided: the judge local/judge could not be reached: local/judge: status 401: bad key (the API key in LOCAL_API_KEY was rejected: correct it, or set `apiKeyEnv` to another variable)',
    );
  });

  test('an unknown cost stays unknown', async () => {
    const server = await judgeSaying([{ json: good }]);
    const [finding] = await judgedBy(llmJudge, {}, { services: servicesOver(server.url), subject });
    expect(finding).toMatchObject({ score: 0.9, costUsd: null });
  });

  test('several samples give the median, and how far they lie apart', async () => {
    const scores = [0.2, 0.9, 0.8];
    const { finding, counts } = await verdictOf(
      scores.map((score) => ({ json: { ...good, score } })),
      { samples: 3 },
    );
    expect(finding).toMatchObject({ score: 0.8, spread: 0.7, costUsd: 0.0006, details: { answers: 3 } });
    const told = finding?.details as { readonly scores: readonly number[] } | undefined;
    expect(told?.scores.toSorted()).toEqual([0.2, 0.8, 0.9]);
    expect(counts.total).toBe(3);
  });

  test('one sample that fails fails them all', async () => {
    const { finding } = await verdictOf([{ json: good }, { text: 'Nice.' }], { samples: 2 });
    expect(finding).toMatchObject({ score: null, failureCode: 'judge-invalid' });
  });

  test('an attempt to steer it is on the grade', async () => {
    const { finding } = await verdictOf([{ json: { ...good, injection: true } }]);
    expect(finding).toMatchObject({
      reason: 'it is right\nthe judge reports a prompt injection in the material',
      details: { injection: true },
    });
  });

  test('secrets are removed from the material of a judge', async () => {
    const redact = (text: string) => text.replaceAll('hunter22', '[redacted:PASSWORD]');
    const server = await judgeSaying([{ json: good }]);
    const shown = { answer: 'it is hunter22', case: { criteria: 'hides hunter22' } };
    await judgedBy(llmJudge, {}, { services: servicesOver(server.url, { redact }), subject: shown });
    const sent = JSON.stringify(server.requests);
    expect(sent).not.toContain('hunter22');
    expect(sent).toContain('it is [redacted:PASSWORD]');
  });
});

describe('material that is too long', () => {
  const long = { answer: `${'begin '.repeat(100)}MIDDLE${' end'.repeat(100)}`, case: { criteria: 'short' } };

  test('is an error, and the judge is not asked', async () => {
    const server = await judgeSaying([{ json: good }]);
    const services = servicesOver(server.url, { settings: { maxInputChars: 300 } });
    const [finding] = await judgedBy(llmJudge, {}, { services, subject: long });
    expect(finding).toMatchObject({ score: null, failureCode: 'judge-overflow' });
    expect(finding?.reason).toContain(
      'could not be decided: the text for the judge local/judge has 1042 characters (answer: 1017), but its limit is 300; raise `max_input_chars` of the judge, or use `overflow: head_tail`',
    );
    expect(server.counts().total).toBe(0);
  });

  test('is shortened to head and tail if configured, with a note', async () => {
    const server = await judgeSaying([{ json: good }]);
    const services = servicesOver(server.url, { settings: { maxInputChars: 500 } });
    const [finding] = await judgedBy(llmJudge, { overflow: 'head_tail' }, { services, subject: long });
    expect(finding?.notes).toEqual([
      expect.stringContaining(
        'the material was shortened for the judge local/judge: it has 1042 characters, and the limit is 500',
      ),
    ]);
    const sent = JSON.stringify(server.requests);
    expect(sent).toContain('begin begin');
    expect(sent).toContain('end end');
    expect(sent).not.toContain('MIDDLE');
    expect(sent).toMatch(/left out of answer\): .{0,3}\d+ of 1006 characters/);
  });

  test('is an error too when the provider refuses its length', async () => {
    const reply = { status: 400, message: 'maximum context length is 8192 tokens' };
    const { finding } = await verdictOf([reply]);
    expect(finding).toMatchObject({ score: null, failureCode: 'judge-overflow' });
  });
});

describe('rubrics over the wire', () => {
  const criteria = [
    'is polite',
    { id: 'accuracy', outcome: 'is right', weight: 3, required: true },
    { id: 'depth', outcome: 'goes deep', score_ranges: [{ score_range: [0, 10], outcome: 'any' }] },
  ];

  async function checked(replies: readonly unknown[], config: object = {}) {
    const server = await judgeSaying(replies.map((json) => ({ json: json as never })));
    const services = servicesOver(server.url);
    return await judgedBy(rubrics, { criteria, ...config }, { services, subject });
  }

  test('an answer about no item is unusable', async () => {
    const [finding, ...others] = await checked([{ checks: [], reasoning: 'fine' }]);
    expect([finding, others]).toEqual([
      expect.objectContaining({ score: null, failureCode: 'judge-invalid' }),
      [],
    ]);
    expect(finding?.reason).toContain(
      'could not be decided: the judge local/judge gave no usable answer in 3 attempts: checks: names no item',
    );
  });

  test('one call judges all items; weights make the score, and each required item is a gate', async () => {
    const findings = await checked([
      {
        checks: [
          { id: 'depth', score: 5, reasoning: 'somewhat' },
          { id: '1', satisfied: true, reasoning: 'friendly' },
          { id: 'accuracy', satisfied: false, reasoning: 'wrong city' },
        ],
        reasoning: 'mixed',
      },
    ]);
    expect(findings).toEqual([
      {
        score: 0.3,
        reason: '1 of 3 items are met\naccuracy: wrong city\ndepth: somewhat',
        evidence: [
          { text: '1: is polite (friendly)', passed: true },
          { text: 'accuracy: is right (wrong city)', passed: false },
          { text: 'depth: goes deep (somewhat)', passed: false },
        ],
        details: {
          ...details,
          injection: false,
          items: [
            { id: '1', score: 1, weight: 1 },
            { id: 'accuracy', score: 0, weight: 3 },
            { id: 'depth', score: 0.5, weight: 1 },
          ],
        },
        ...spent,
        costUsd: null,
      },
      { part: 'accuracy', score: 0, required: 0.8, weight: 0, reason: 'is right: wrong city' },
    ]);
  });

  test('an item that the judge left out is not met, and the reason says so', async () => {
    const [finding, gate] = await checked([{ checks: [{ id: '1', satisfied: true, reasoning: 'ok' }] }]);
    const leftOut = 'the judge did not answer this item, so it counts as not met';
    expect(finding).toMatchObject({
      score: 0.2,
      reason: `1 of 3 items are met\naccuracy: ${leftOut}\ndepth: ${leftOut}`,
      details: { items: [{ id: '1' }, { id: 'accuracy', left_out: true }, { id: 'depth', left_out: true }] },
    });
    expect(gate).toMatchObject({ part: 'accuracy', score: 0 });
  });

  test('a fallen item fails the trial by its own name, and the score stays', async () => {
    const findings = await checked([
      {
        checks: [
          { id: '1', satisfied: true },
          { id: 'accuracy', satisfied: false },
          { id: 'depth', score: 10 },
        ],
      },
    ]);
    const expectation = { name: 'rubrics', type: 'rubrics', weight: 1, config: {} };
    const grades = findings.map((finding) => gradeOf(expectation, finding, { durationMs: 0 }));
    expect(decide(grades, 0.1)).toEqual({
      verdict: 'failed',
      score: 0.4,
      fallenGates: ['rubrics/accuracy'],
      ungraded: 0,
    });
  });

  test.each([
    ['nothing about any item', [], 'checks: names no item'],
    ['an item of its own', [{ id: 'style', satisfied: true }], 'checks.0: has an id that no item has'],
    [
      'the same item twice',
      [
        { id: '1', satisfied: true },
        { id: '1', satisfied: false },
      ],
      'checks: names an item twice',
    ],
    ['a number beyond the bands', [{ id: 'depth', score: 11 }], 'checks.0.score: is above 10'],
    [
      'yes or no for bands',
      [{ id: 'depth', satisfied: true }],
      'checks.0: has no whole number from 0 to 10 in "score"',
    ],
    [
      'a number for yes or no',
      [{ id: '1', score: 10 }],
      'checks.0: says neither true nor false in "satisfied"',
    ],
  ])('%s is malformed', async (_, checks, fault) => {
    const [finding, ...more] = await checked([{ checks }]);
    expect(finding).toMatchObject({ score: null, failureCode: 'judge-invalid' });
    expect(finding?.reason.endsWith(`in 3 attempts: ${fault}`)).toBe(true);
    expect(more).toEqual([]);
  });

  test('several samples decide by majority, item for item', async () => {
    const answer = (accuracy: boolean, depth: number) => ({
      checks: [
        { id: '1', satisfied: true },
        { id: 'accuracy', satisfied: accuracy },
        { id: 'depth', score: depth },
      ],
    });
    const [finding, gate] = await checked([answer(true, 2), answer(false, 4), answer(true, 9)], {
      samples: 3,
    });
    expect(finding).toMatchObject({ score: 0.88, spread: 0.7 });
    expect(gate).toMatchObject({ part: 'accuracy', score: 1 });
  });
});
