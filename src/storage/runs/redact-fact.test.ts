import { expect, test } from 'vitest';

import type { Fact } from '../../core/run.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { redactFact } from './redact-fact.ts';

const redaction = createRedactor({ environment: {}, literals: [{ name: 'X', value: 'a secret é' }] });

test('a secret that an agent names an event by is taken out of the error', () => {
  const error = { stage: 'target', kind: 'adapter-drift', code: 'adapter-drift', message: 'm' } as const;
  const fact: Fact = {
    type: 'attempt-end',
    durationMs: 1,
    error: { ...error, unknownEvents: { 'a secret é': 2, plain: 1 } },
  };
  expect(redactFact(fact, redaction)).toEqual({
    ...fact,
    error: { ...error, unknownEvents: { '[redacted:X]': 2, plain: 1 } },
  });
});
