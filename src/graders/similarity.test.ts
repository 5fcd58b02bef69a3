import { describe, expect, test } from 'vitest';

import { judgedBy, servicesOver, type JudgeSketch } from '../../test/support/judging.ts';
import { modelServer, type Script } from '../../test/support/model-server.ts';
import type { JsonValue } from '../lib/json.ts';
import { similarity } from './similarity.ts';
import { findingOf, problemsOf, type SubjectSketch } from './subject.fixture.ts';

describe('similarity', () => {
  test.each([
    ['levenshtein', 'kitten', 'sitting', 1 - 3 / 7],
    ['levenshtein', '', '', 1],
    ['levenshtein', '', 'abc', 0],
    ['levenshtein', 'e\u0301te\u0301', '\u00e9t\u00e9', 1],
    ['jaccard', 'the cat sat', 'the dog sat', 2 / 4],
    ['jaccard', 'The Cat, the cat!', 'cat the', 1],
    ['jaccard', '', '', 1],
    ['jaccard', 'a', '', 0],
    ['rouge_l', 'the cat sat on the mat', 'the cat on mat', (2 * 4) / (6 + 4)],
    ['rouge_l', 'b a', 'a b', 0.5],
    ['rouge_l', 'x', 'y', 0],
    ['rouge_l', '', '', 1],
    ['jaccard', '', '\u{1f44d}', 0],
    ['rouge_l', '!!!', '\u{1f44d}', 0],
    ['jaccard', ' \u{1f44d}', '\u{1f44d}', 1],
  ])('%s of %j and %j is %d', async (metric, answer, reference, score) => {
    expect((await findingOf(similarity, { metric }, { answer, reference })).score).toBeCloseTo(score, 9);
  });

  test('prefers its value to the reference, and the reason names it', async () => {
    const finding = await findingOf(
      similarity,
      { metric: 'jaccard', value: 'a b' },
      { answer: 'a c', reference: 'a c' },
    );
    expect(finding).toEqual({
      score: 0.333333333,
      reason: 'jaccard similarity to "a b" is 0.333; the answer is "a c"',
    });
  });

  test.each([
    ['levenshtein', 'x'.repeat(20_001), /20001 characters, at most 20000/],
    ['rouge_l', 'x '.repeat(5_001), /5001 words, at most 5000/],
  ])('%s refuses texts that would take too long', async (metric, answer, message) => {
    await expect(findingOf(similarity, { metric, value: 'x' }, { answer })).rejects.toThrow(message);
  });

  test.each([
    ['sitting', 3, { score: 1, reason: '3 edits from "kitten", at most 3 allowed' }],
    ['kittens', 1, { score: 1, reason: '1 edit from "kitten", at most 1 allowed' }],
    ['sitting', 2, { score: 0, reason: '3 edits from "kitten", at most 2 allowed; the answer is "sitting"' }],
    [
      'kit',
      2,
      { score: 0, reason: 'at least 3 edits from "kitten", at most 2 allowed; the answer is "kit"' },
    ],
    [' kitten ', 0, { score: 1, reason: '0 edits from "kitten", at most 0 allowed' }],
  ])('%j is within %d edits: %j', async (answer, mostEdits, finding) => {
    const config = { metric: 'levenshtein', value: 'kitten', max_edits: mostEdits };
    expect(await findingOf(similarity, config, { answer })).toEqual(finding);
  });

  test('a very long answer has too many edits', async () => {
    const config = { metric: 'levenshtein', value: 'x', max_edits: 3 };
    expect((await findingOf(similarity, config, { answer: 'x'.repeat(20_001) })).score).toBe(0);
  });

  test('only levenshtein counts edits', () => {
    expect(problemsOf(similarity, { metric: 'jaccard', value: 'x', max_edits: 1 })).toEqual([
      'max_edits: only `metric: levenshtein` counts edits',
    ]);
  });

  test('without value and reference it cannot be decided', async () => {
    await expect(findingOf(similarity, { metric: 'jaccard' }, { answer: 'x' })).rejects.toThrow(
      /no reference/,
    );
  });
});

describe('similarity by embeddings', () => {
  async function asked(script: Script, subject: SubjectSketch, sketch: JudgeSketch = {}) {
    const server = await modelServer(script, { records: true });
    const config = { metric: 'cosine', model: 'local/embed', value: 'a b' };
    const findings = await judgedBy(similarity, config, {
      services: servicesOver(server.url, sketch),
      subject,
    });
    return { findings, requests: server.requests };
  }

  const vectors = (json: JsonValue): Script => ({ rules: [{ reply: { json, usage: { input: 7 } } }] });

  test('is the cosine of two embeddings of one request, with its model, tokens and details', async () => {
    const { findings, requests } = await asked(
      vectors([
        [3, 4],
        [1, 0],
      ]),
      { answer: ' a c ' },
    );
    expect(requests.map(({ body }) => body['input'])).toEqual([['a c', 'a b']]);
    expect(findings).toEqual([
      {
        score: 0.6,
        reason: 'cosine similarity to "a b" is 0.6; the answer is " a c "',
        model: 'local/embed',
        usage: { inputTokens: 7, outputTokens: 0, totalTokens: 7 },
        costUsd: null,
        details: { cosine: 0.6 },
      },
    ]);
  });

  test('opposite meanings score 0, and secrets are removed before the model sees them', async () => {
    const { findings, requests } = await asked(
      vectors([[1], [-1]]),
      { answer: 'key s3cret' },
      { redact: (text) => text.replace('s3cret', '[hidden]') },
    );
    expect(findings[0]).toMatchObject({ score: 0, details: { cosine: -1 } });
    expect(requests.map(({ body }) => body['input'])).toEqual([['key [hidden]', 'a b']]);
  });

  test('an empty answer scores 0 and asks no model', async () => {
    const { findings, requests } = await asked({}, { answer: ' ' });
    expect([findings[0]?.score, requests.length]).toEqual([0, 0]);
  });

  test.each<readonly [string, JsonValue]>([
    ['of different lengths', [[1, 2], [1]]],
    ['of only one text', [[1, 2]]],
    [
      'without a direction',
      [
        [0, 0],
        [1, 1],
      ],
    ],
  ])('embeddings %s decide nothing', async (_, json) => {
    await expect(asked(vectors(json), { answer: 'x' })).rejects.toThrow(/embeddings that cannot be compared/);
  });

  test.each<readonly [string, Script, RegExp]>([
    [
      'a refused key',
      { rules: [{ reply: { status: 401, message: 'wrong key' } }] },
      /local\/embed: .*wrong key/,
    ],
    ['an invalid answer', { rules: [{ reply: { malformed: true } }] }, /local\/embed: /],
  ])('%s decides nothing', async (_, script, message) => {
    await expect(asked(script, { answer: 'x' })).rejects.toThrow(message);
  });

  test('needs a model, which the other metrics refuse', () => {
    expect(problemsOf(similarity, { metric: 'cosine' })).toEqual([
      ': `metric: cosine` needs an embedding model, such as `model: openai/text-embedding-3-small`',
    ]);
    expect(problemsOf(similarity, { metric: 'jaccard', model: 'a/b' })).toEqual([
      'model: only `metric: cosine` takes a model',
    ]);
    expect(problemsOf(similarity, { metric: 'cosine', model: 'b' })).toEqual([
      'model: write it as provider/name, such as openai/text-embedding-3-small',
    ]);
  });
});
