import { expect, test } from 'vitest';

import { openTroubles } from './troubles.ts';

test('each reason is told once, and so is the end of the trouble', () => {
  const told: string[] = [];
  const troubles = openTroubles({
    troubled: (fault) => void told.push(String((fault as Error).message)),
    recovered: () => void told.push('works again'),
  });
  troubles.end();
  troubles.tell(new Error('no connection'));
  troubles.tell(new Error('no connection'));
  troubles.tell(new Error('too many clients'));
  troubles.tell(new Error('no connection'));
  troubles.end();
  troubles.end();
  troubles.tell(new Error('no connection'));
  expect(told).toEqual(['no connection', 'too many clients', 'works again', 'no connection']);
});
