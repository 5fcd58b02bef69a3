import { expect, test } from 'vitest';

import { safeText } from './safe-text.ts';

test('control and bidirectional characters become escapes, other text stays as it is', () => {
  expect(safeText('a\u202Eb\u001B[31mc\u0000\r\u2067\u061C\u2028')).toBe(
    String.raw`a\u202Eb\u001B[31mc\u0000\u000D\u2067\u061C\u2028`,
  );
  expect(safeText('<img onerror=x>\n\tjavascript:1 😀 é')).toBe('<img onerror=x>\n\tjavascript:1 😀 é');
});
