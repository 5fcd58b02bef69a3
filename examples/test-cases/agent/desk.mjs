// What the desk says: a few rules, and tools that look into the library's books. It keeps nothing between requests:
// whatever it knows of a conversation stands in the messages.

const members = {
  'L-2041': { name: 'Mira', loans: ['The Tin Orchard', 'Salt Roads'] },
  'L-3377': { name: 'Jonas', loans: ['A Winter Almanac'] },
};
/** Books that somebody waits for. */
const waitedFor = ['Salt Roads'];

/** The agent's answer to a conversation. */
export function answer(messages) {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const tools = openTools(messages);
  const { text, end } = reply(said, tools);
  const words = { role: 'assistant', content: text };
  return { messages: [...tools.messages, words], ...(end === undefined ? {} : { end: { reason: end } }) };
}

function reply(said, tools) {
  const last = said.at(-1) ?? '';
  if (/\b(bye|goodbye|that is all|that's all)\b/i.test(last)) {
    return { text: 'You are welcome. Goodbye.', end: 'farewell' };
  }
  if (/\b(address|where .* lives?|phone)\b/i.test(last)) {
    return { text: 'I do not give out what I know about other members.' };
  }
  if (/\b(open|hours)\b/i.test(last)) return { text: 'We are open from 9 to 18 on weekdays.' };
  if (/\b(person|somebody|librarian)\b/i.test(last)) {
    tools.call('hand_over', { reason: 'the visitor asked for a person' });
    return { text: 'I am passing you on to a librarian, who will write to you today.' };
  }
  return { text: withCard(said, tools) };
}

/** Everything that needs to know who asks. */
function withCard(said, tools) {
  const card = lastMatch(said, /\bL-\d{4}\b/g);
  if (card === undefined) return 'May I have the number of your library card, such as L-1000?';
  const member = tools.call('find_member', { card });
  if (member.error !== undefined) return `There is no card ${card}. Is the number right?`;
  const title = named(said, member.loans);
  if (!said.some((text) => /\b(renew|longer|extend)\b/i.test(text))) {
    return `${member.name}, you have ${member.loans.join(' and ')}. What can I do for you?`;
  }
  if (title === undefined) return `Which of your books shall I renew: ${member.loans.join(' or ')}?`;
  const renewal = tools.call('renew_loan', { card, title });
  return renewal.error === undefined
    ? `I have renewed ${title} until ${renewal.due}.`
    : `I cannot renew ${title}: ${renewal.error}.`;
}

function lastMatch(texts, pattern) {
  return texts.flatMap((text) => text.match(pattern) ?? []).at(-1);
}

/** The book that was named last; the only one needs no name. */
function named(said, loans) {
  if (loans.length === 1) return loans[0];
  return said
    .flatMap((text) => loans.filter((title) => text.toLowerCase().includes(title.toLowerCase())))
    .at(-1);
}

/** The agent's tools; what was called, and what came back, is kept as messages. */
function openTools(earlier) {
  const tools = {
    find_member: ({ card }) => members[card] ?? { error: `no member ${card}` },
    renew_loan: ({ title }) =>
      waitedFor.includes(title) ? { error: 'somebody is waiting for it' } : { due: '2026-07-14' },
    hand_over: () => ({ ticket: 'T-1' }),
  };
  const before = earlier.filter(({ role }) => role === 'tool').length;
  const messages = [];
  return {
    messages,
    call(name, input) {
      const id = `call-${before + messages.length / 2 + 1}`;
      const output = tools[name](input);
      const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      messages.push({ role: 'assistant', content: null, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: id, name, content: output });
      return output;
    },
  };
}
