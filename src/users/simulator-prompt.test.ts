import { describe, expect, test } from 'vitest';

import { SIMULATOR_RULES, simulatorPrompt } from './simulator-prompt.ts';

const sections = (prompt: string) => prompt.split('\n\n').slice(1);

const RULES = `Rules:\n${SIMULATOR_RULES.map((rule) => `- ${rule}`).join('\n')}`;

describe('the prompt of a simulated user', () => {
  test('contains the person, the goal, the knowledge and the rules', () => {
    const prompt = simulatorPrompt({
      persona: { type: 'busy', description: 'Mira, who has no time.', instructions: 'Be short.' },
      goals: ['a refund', 'an apology'],
      context: { order: 'A-1', items: ['tea', 2], since: null },
    });
    expect(sections(prompt)).toEqual([
      'Who you are:\nbusy\nMira, who has no time.',
      'How you behave:\nBe short.',
      'What you want:\n- a refund\n- an apology',
      'What you know, as JSON:\n{\n  "items": [\n    "tea",\n    2\n  ],\n  "order": "A-1",\n  "since": null\n}',
      RULES,
    ]);
    expect(prompt.startsWith('You play a person')).toBe(true);
  });

  test.each([
    ['nothing', {}],
    ['a persona of blank texts', { persona: { type: ' ', description: '', instructions: '' }, goals: [' '] }],
  ])('leaves out empty texts: %s gives an ordinary person', (_, plan) => {
    expect(sections(simulatorPrompt(plan))).toEqual([
      'Who you are:\nYou are an ordinary person who needs help.',
      RULES,
    ]);
  });

  test('is the same text for one knowledge in two orders of keys, in the order of RFC 8785', () => {
    const one = simulatorPrompt({ context: { b: { '10': 1, '9': 2 }, a: 1.0, ä: 3, Z: [] } });
    const two = simulatorPrompt({ context: { Z: [], ä: 3, a: 1, b: { '9': 2, '10': 1 } } });
    expect(one).toBe(two);
    expect(sections(one)[1]).toBe(
      'What you know, as JSON:\n{\n  "Z": [],\n  "a": 1,\n  "b": {\n    "10": 1,\n    "9": 2\n  },\n  "ä": 3\n}',
    );
  });
});
