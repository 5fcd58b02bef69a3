import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

const CASE = {
  name: 'lamp',
  persona: { type: 'polite', description: 'Ann, a regular.', instructions: 'Stay polite.' },
  user_context: { order: 'A-17' },
  initial_message: 'My lamp broke.',
  expected_outcomes: { refunded: 'the refund was made' },
};

onServedStores('a case that is previewed', ({ ask }) => {
  const preview = async (body: object) => (await ask('POST', '/test-cases/preview', { body })).body;

  test('tells the user its persona and what it knows, the judge its metrics and outcomes, and is not written', async () => {
    const { user, judge, passing } = await preview(CASE);
    for (const told of ['Ann, a regular.', 'Stay polite.', '"order": "A-17"']) {
      expect(user).toContain(told);
      expect(judge).not.toContain(told);
    }
    for (const told of ['## tool_routing', '- "refunded": "the refund was made"']) {
      expect(judge).toContain(told);
      expect(user).not.toContain(told);
    }
    expect(passing[0]).toBe('The judge finds that each expected outcome holds.');
    expect((await ask('GET', '/test-cases')).body.data).toEqual([]);
  });

  test('has only the own criteria of the case where it has some', async () => {
    const { judge } = await preview({ ...CASE, evaluation_criteria_override: 'Be strict.' });
    expect(judge).toContain('Be strict.');
    expect(judge).not.toContain('tool_routing');
  });

  test('is refused with its mistakes', async () => {
    const { status, body } = await ask('POST', '/test-cases/preview', { body: { name: '', max_turns: 0 } });
    expect([status, body.error.problems.map(({ param }: { readonly param: string }) => param)]).toEqual([
      422,
      ['name', 'max_turns'],
    ]);
  });
});
