import { describe, expect, test } from 'vitest';

import { modelServer, type Script } from '../../test/support/model-server.ts';
import { BudgetSpent } from '../core/errors.ts';
import { openLedger } from '../engine/ledger.ts';
import { askOf, doorTo, saying } from './door.fixture.ts';
import { openPriceTable } from './price-table.ts';
import { mostTokensOf, worstCaseUsd } from './worst-case.ts';

/** A million tokens of output cost a million dollars, and input nothing: a token written is a dollar. */
const price = { input: 0, output: 1e6 };
const asks = saying('hello', { maxOutputTokens: 10, price });

async function doorWith(script: Script, capUsd: number) {
  const server = await modelServer(script);
  const ledger = openLedger(capUsd);
  return { server, ledger, door: doorTo(server.url, { ledger }) };
}

const answers = (output: number) => ({ rules: [{ reply: { text: 'hi', usage: { input: 1, output } } }] });

describe('the door under a cap', () => {
  test('reserves the maximum cost, then settles the actual cost', async () => {
    const { door, ledger } = await doorWith(answers(3), 25);
    await askOf(door, asks);
    expect([ledger.spentUsd(), ledger.reservedUsd()]).toEqual([3, 0]);
  });

  test('concurrent requests never exceed the budget, and all that fit are answered', async () => {
    const { door, ledger, server } = await doorWith(answers(3), 25);
    const asked = await Promise.allSettled(Array.from({ length: 10 }, async () => await askOf(door, asks)));
    const answered = asked.filter(({ status }) => status === 'fulfilled').length;
    // After five answers 15 are spent and 10 more fit; after six they do not.
    expect([answered, server.counts().total, ledger.spentUsd()]).toEqual([6, 6, 18]);
    expect(asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))[0]).toBeInstanceOf(
      BudgetSpent,
    );
  });

  test('a refused request costs nothing, one that broke off or timed out its worst case', async () => {
    const refused = await doorWith({ rules: [{ reply: { status: 400 } }] }, 25);
    await expect(askOf(refused.door, asks)).rejects.toThrow('400');
    expect(refused.ledger.spentUsd()).toBe(0);
    const broken = await doorWith({ rules: [{ reply: { text: 'hi', cut: 'break' } }] }, 10);
    await expect(askOf(broken.door, { ...asks, pulse: () => {} })).rejects.toBeInstanceOf(BudgetSpent);
    expect([broken.ledger.spentUsd(), broken.server.counts().total]).toEqual([10, 1]);
    const slow = await doorWith({ rules: [{ reply: { hang: true } }] }, 25);
    await expect(askOf(slow.door, { ...asks, timeoutMs: 20 })).rejects.toThrow('20 ms');
    expect(slow.ledger.spentUsd()).toBe(10);
  });

  test('an answer that cannot be read has cost its worst case', async () => {
    const { door, ledger } = await doorWith({ rules: [{ reply: { text: 'hi', malformed: true } }] }, 25);
    await expect(askOf(door, asks)).rejects.toMatchObject({ isCostUnknown: true });
    expect(ledger.spentUsd()).toBe(10);
  });

  test('a failed call shows whether it may have cost something', async () => {
    const refused = await doorWith({ rules: [{ reply: { status: 400 } }] }, 25);
    await expect(askOf(refused.door, asks)).rejects.toMatchObject({ isCostUnknown: false });
    const slow = await doorWith({ rules: [{ reply: { hang: true } }] }, 25);
    await expect(askOf(slow.door, { ...asks, timeoutMs: 20 })).rejects.toMatchObject({ isCostUnknown: true });
  });

  test('an answer without a count of its tokens costs its worst case', async () => {
    const { door, ledger } = await doorWith({ rules: [{ reply: { text: 'hi', usage: null } }] }, 25);
    expect((await askOf(door, asks)).costUsd).toBeNull();
    expect(ledger.spentUsd()).toBe(10);
  });

  test('for a model without a known price, only the cost that the endpoint reports is counted', async () => {
    const { door, ledger } = await doorWith({ rules: [{ reply: { text: 'hi', cost: 2 } }] }, 25);
    await askOf(door, saying('hello'));
    expect(ledger.spentUsd()).toBe(2);
  });
});

describe('a provider that bills more input than it was sent', () => {
  /** A token is a dollar, read or written; 22 bytes are said, and 500 tokens are billed for it. */
  const billed = { input: 1e6, output: 1e6 };
  const asked = saying('hello', { maxOutputTokens: 1, price: billed });
  const script = { rules: [{ reply: { text: 'hi', usage: { input: 500, output: 1 } } }] };

  test('never takes a run beyond its cap once it has billed the first answer', async () => {
    const { door, ledger, server } = await doorWith(script, 2600);
    const asking = await Promise.allSettled(Array.from({ length: 30 }, async () => await askOf(door, asked)));
    expect(asking.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect([server.counts().total, ledger.spentUsd(), ledger.reservedUsd()]).toEqual([5, 5 * 501, 0]);
  });

  test('raises the reservations of running requests too', async () => {
    const rules = [
      { match: { contains: 'stay!' }, reply: { hang: true } },
      { match: { contains: 'dear!' }, reply: { text: 'hi', usage: { input: 500, output: 1 } } },
      { reply: { text: 'hi', usage: { input: 1, output: 1 } } },
    ];
    const { door, ledger, server } = await doorWith({ rules }, 5000);
    const say = (text: string) => saying(text, { maxOutputTokens: 1, price: billed });
    await askOf(door, say('cheap'));
    const gone = new AbortController();
    const hanging = askOf(door, say('stay!'), gone.signal).catch(() => {});
    await expect.poll(() => server.counts().total).toBe(2);
    expect(ledger.reservedUsd()).toBe(23);
    await askOf(door, say('dear!'));
    expect(ledger.reservedUsd()).toBe(501);
    gone.abort();
    await hanging;
    expect(ledger.reservedUsd()).toBe(0);
  });
});

describe('the worst case of a request', () => {
  const dear = { input: 1e6, output: 1e6, cacheWrite: 2e6 };
  const said = [{ role: 'user' as const, parts: [{ text: 'Grüße' }] }];

  test('every byte is a token at the dearest price of input, and all that may be written is written', () => {
    // `{"text":"Grüße"}` has 18 bytes, `"user"` has 6.
    const most = mostTokensOf({ messages: said, maxOutputTokens: 100 }, undefined);
    expect([most, worstCaseUsd(most, dear)]).toEqual([{ input: 24, output: 100 }, 2 * 24 + 100]);
  });

  test('the context size of a model is known when its price is', async () => {
    const table = openPriceTable();
    expect(await table.contextTokens({ provider: 'openai', name: 'gpt-4o' })).toBe(128_000);
    expect(await table.contextTokens({ provider: 'local', name: 'any' })).toBeUndefined();
  });

  test('a model without a limit can fill its context, and one of unknown size 128,000 tokens', () => {
    expect(mostTokensOf({ messages: [] }, 5000)).toEqual({ input: 0, output: 5000 });
    expect(mostTokensOf({ messages: [] }, undefined)).toEqual({ input: 0, output: 128_000 });
  });
});
