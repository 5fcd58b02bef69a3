// What the support agent says: a few rules, and tools that look into the shop.

/** The agent's next messages: the tools it calls with their results, then what it says to the customer. */
export function answer(messages, shop) {
  const tools = openTools(shop, signedIn(messages));
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const text = reply(question, orderNumber(messages), tools);
  return [...tools.messages, { role: 'assistant', content: text }];
}

function reply(question, orderId, tools) {
  if (/\b(hours|open|opening)\b/i.test(question)) return tools.shop.hours;
  if (/\b(human|person|somebody|manager)\b/i.test(question)) return handOver(tools);
  if (orderId === undefined) return 'Which order is it about? Please tell me its number, such as A-1001.';
  const order = tools.call('lookup_order', { order_id: orderId });
  if (order.error !== undefined) return `I cannot find an order ${orderId} in your account.`;
  if (/\b(refund|money back)\b/i.test(question)) return refund(order, tools);
  if (/\b(return|send .* back|exchange)\b/i.test(question)) return returnLabel(order, tools);
  return status(order);
}

function status({ id, item, status: state, delivered, expected }) {
  const when = delivered
    ? ` It arrived on ${delivered}.`
    : expected
      ? ` It should arrive on ${expected}.`
      : '';
  return `Your order ${id} (${item}) is ${state}.${when}`;
}

function refund(order, tools) {
  const { id, price, delivered } = order;
  if (delivered === undefined) return `Order ${id} has not arrived yet. I can refund it once it is there.`;
  if (monthsBetween(delivered, tools.shop.today) > 1) {
    return `Order ${id} arrived on ${delivered}. Refunds end 30 days after delivery, so I cannot refund it.`;
  }
  tools.call('issue_refund', { order_id: id, amount: price });
  return `I have refunded $${price.toFixed(2)} for order ${id}. It takes 3 to 5 days to reach your account.`;
}

function returnLabel({ id }, tools) {
  const { label } = tools.call('create_return_label', { order_id: id });
  return `Here is your return label for order ${id}: ${label}`;
}

function handOver(tools) {
  tools.call('hand_over', { reason: 'the customer asked for a person' });
  return 'I am passing you on to a colleague, who will answer within one working day.';
}

/** How many months lie between two dates, as YYYY-MM-DD. */
function monthsBetween(from, to) {
  const [fromYear, fromMonth] = from.split('-').map(Number);
  const [toYear, toMonth] = to.split('-').map(Number);
  return (toYear - fromYear) * 12 + (toMonth - fromMonth);
}

/** Who is signed in: the website says so in a system message. */
function signedIn(messages) {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return /signed in as (\S+@\S+[^\s.])/i.exec(system.join('\n'))?.[1];
}

/** The order that was mentioned last, in this message or an earlier one. */
function orderNumber(messages) {
  return messages
    .filter(({ role, content }) => role === 'user' && typeof content === 'string')
    .flatMap(({ content }) => content.toUpperCase().match(/\b[A-Z]-\d{4}\b/g) ?? [])
    .at(-1);
}

/** The agent's tools; what was called, and what came back, is kept as messages. */
function openTools(shop, customer) {
  const own = (id) => shop.orders.find((order) => order.id === id && order.customer === customer);
  const tools = {
    lookup_order: ({ order_id: id }) => own(id) ?? { error: `no order ${id}` },
    issue_refund: ({ order_id: id, amount }) => ({ refund: `R-${id}`, amount }),
    create_return_label: ({ order_id: id }) => ({ label: `https://returns.example.com/${id}` }),
    hand_over: () => ({ ticket: 'T-1' }),
  };
  const messages = [];
  return {
    shop,
    messages,
    call(name, input) {
      const id = `call-${messages.length / 2 + 1}`;
      const output = tools[name](input);
      const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      messages.push({ role: 'assistant', content: null, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: id, name, content: output });
      return output;
    },
  };
}
