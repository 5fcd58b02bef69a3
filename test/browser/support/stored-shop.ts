import type { OpenServe } from './open-serve.ts';

/** A scripted agent that answers "I can refund that." to everybody. */
export const SHOP_CONFIG = {
  'assay.config.json': {
    targets: { desk: { type: 'mock', response: 'I can refund that.' } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { expectations: [{ type: 'contains', value: 'refund' }] },
  },
};

const LONG = '😀'.repeat(120);

/** A case with something in every field, and one that looks like markup. */
export const SHOP_CASES = [
  {
    name: 'Refund of a damaged lamp',
    description: 'The lamp arrived broken. The agent should look up the order, and refund it once.',
    difficulty: 'hard',
    tags: ['refund', 'normal'],
    persona: { type: 'polite-customer', description: 'Ann, a regular.', instructions: 'Stay polite.' },
    initial_message: 'My lamp arrived broken.',
    user_context: { order: 'A-17', items: ['lamp'] },
    max_turns: 6,
    expected_outcomes: { refunded: true, apologised: 'yes' },
    expected_tool_calls: [{ tool: 'refund', expected_params: { order: 'A-17' } }],
    evaluation_criteria_override: 'Be strict about the refund.',
  },
  {
    name: `<img src=x onerror=alert(1)> \u202E${LONG}`,
    description: '</script><b>bold</b>',
    tags: ['red-team', '<i>tag</i>'],
    initial_message: '<b>hello</b>',
  },
  { name: 'Greeting', difficulty: 'hard', tags: ['normal', 'smoke'], initial_message: 'Hello' },
  { name: 'Farewell', tags: ['smoke'], initial_message: 'Thank you' },
  { name: 'Later', status: 'draft', tags: ['late'] },
];

/** Fills the store: the cases above and 120 plain ones. Gives ids by name. */
export async function fillShop({ ask }: OpenServe): Promise<ReadonlyMap<string, string>> {
  const plain = Array.from({ length: 120 }, (_, at) => ({ name: `Plain ${at + 1}`, tags: ['plain'] }));
  const all = [...SHOP_CASES, ...plain];
  const { items } = await ask('POST', '/test-cases/import', all);
  const ids = new Map(all.map(({ name }, at) => [name, String(items[at]?.id)]));
  const lamp = ids.get('Refund of a damaged lamp');
  const mock = { tool: 'refund', params: { order: 'A-17' }, result: 'refunded' };
  await ask('PUT', `/test-cases/${lamp}/mocks`, [mock]);
  return ids;
}

/** A run of the cases with a tag, to its end. Without a judge only those of `smoke` can run. */
export async function ranShop({ ask }: OpenServe, tag: string): Promise<string> {
  const { id } = await ask('POST', '/runs', { select: { tag_any: [tag] } });
  for (;;) {
    const { state } = await ask('GET', `/runs/${id}`);
    if (state === 'completed') return String(id);
  }
}
