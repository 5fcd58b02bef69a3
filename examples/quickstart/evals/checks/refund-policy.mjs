// Grades one trial: every refund that the agent issued must be allowed by the policy of the shop.
// assay writes the trial to stdin as JSON; the last line printed is the grade.
import { readFileSync } from 'node:fs';

const DAYS = 30;
const today = '2026-06-20';
const { orders } = JSON.parse(readFileSync(new URL('../../support/shop.json', import.meta.url), 'utf8'));

const trial = JSON.parse(readFileSync(0, 'utf8'));
const calls = trial.output.flatMap((message) => message.tool_calls ?? []);
const refunds = calls.filter(({ tool }) => tool === 'issue_refund').map(({ input }) => input);
const wrong = refunds.map(violation).filter((text) => text !== undefined);

console.log(JSON.stringify({ score: wrong.length === 0 ? 1 : 0, reason: reason() }));

function reason() {
  if (wrong.length > 0) return wrong.join('; ');
  return refunds.length === 0 ? 'nothing was refunded' : 'every refund is within the policy';
}

function violation({ order_id: id, amount }) {
  const order = orders.find((each) => each.id === id);
  if (order?.delivered === undefined) return `${id} was refunded and never arrived`;
  if (amount > order.price) return `${id} cost $${order.price}, and $${amount} was refunded`;
  const days = (Date.parse(today) - Date.parse(order.delivered)) / 86_400_000;
  if (days <= DAYS) return undefined;
  return `the agent refunded $${amount} for ${id} ${days} days after its delivery (${order.delivered}); refunds end after ${DAYS} days`;
}
