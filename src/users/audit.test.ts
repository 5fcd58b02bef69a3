import { describe, expect, test } from 'vitest';

import { createAudit, type AuditedTurn } from './audit.ts';
import type { SaidTurn } from './history.ts';
import { SIMULATOR_RULES } from './simulator-prompt.ts';

const plan = {
  persona: {
    type: 'customer',
    description: 'Mira from 12345 Town',
    instructions:
      'Tell them at once that you will never buy anything here again unless they pay for the shipping.',
  },
  goals: ['money for order GOAL-77'],
  context: { order: 'ORD-1001', amount: 25.5, phone: '+49 30 1234' },
};

const audit = createAudit(plan, ['My code is FIRST-1.']);

const agent = (text: string): SaidTurn => ({ by: 'agent', text });
const user = (text: string): SaidTurn => ({ by: 'user', text });

const flagsOf = (turn: Partial<AuditedTurn>) =>
  audit({ message: null, done: false, reason: null, before: [], ...turn }).map(({ flag }) => flag);

describe('the audit of a simulated turn', () => {
  test.each([
    [
      'what the persona, the goals, the context and the first message say',
      'ord-1001, GOAL-77, 12345, FIRST-1, 25.5',
    ],
    ['numbers of three characters, and words without digits', 'It is 123, or A12, or tomorrow.'],
    ['what the agent said', 'So it is T-4711?'],
  ])('takes for known %s', (_, message) => {
    expect(flagsOf({ message, before: [agent('Your ticket is t-4711.')] })).toEqual([]);
  });

  test('flags an unknown fact once, with the fact', () => {
    const found = audit({
      message: 'It is ORD-99999, I said ORD-99999!',
      done: false,
      reason: null,
      before: [user('ORD-99999')],
    });
    expect(found).toEqual([{ flag: 'unknown-fact', about: 'it uses ORD-99999, which it cannot know' }]);
  });

  test('flags twelve words in a row of its instructions or rules, and not eleven', () => {
    const words = plan.persona.instructions.split(' ');
    expect(flagsOf({ message: `I must: ${words.slice(2, 14).join(' ').toUpperCase()}!` })).toEqual([
      'prompt-leak',
    ]);
    expect(flagsOf({ message: `I must: ${words.slice(2, 13).join(' ')}!` })).toEqual([]);
    expect(flagsOf({ message: SIMULATOR_RULES[2] ?? '' })).toEqual(['prompt-leak']);
  });

  test.each([
    ['Shall I go ahead?', 'satisfied', ['early-stop']],
    ['Shall I go ahead? ', 'satisfied', ['early-stop']],
    ['“Shall I?”', 'satisfied', ['early-stop']],
    ['Shall I go ahead?', 'gave-up', []],
    ['Shall I? Then I do.', 'satisfied', []],
  ])('after %j an end as %s has the flags %j', (last, reason, flags) => {
    expect(flagsOf({ done: true, reason, before: [user('a'), agent(last)] })).toEqual(flags);
  });

  test('flags a repetition of the previous message, but not of an earlier one', () => {
    const before = [user('first'), agent('a'), user('Where is it?'), agent('b')];
    expect(flagsOf({ message: ' where  is it?', before })).toEqual(['repeat']);
    expect(flagsOf({ message: 'first', before })).toEqual([]);
  });
});
