// The tools of the service: they look into the books of the library. What was called, and what came back, is kept as
// messages, so that whoever tests the service sees it.

const members = {
  'L-2041': { name: 'Mira', loans: ['The Tin Orchard', 'Salt Roads'] },
  'L-3377': { name: 'Jonas', loans: ['A Winter Almanac'] },
};
/** Books that somebody waits for. */
const waitedFor = ['Salt Roads'];

const answers = {
  find_member: ({ card }) => members[card] ?? { error: { message: 'there is no such card' } },
  renew_loan: ({ title }) =>
    waitedFor.includes(title) ? { error: { message: 'somebody is waiting for it' } } : { due: '2026-07-14' },
  hand_over: () => ({ ticket: 'T-1' }),
  farewell: () => ({}),
};

/** Tools for one answer to a conversation. */
export function openBooks(earlier) {
  const before = earlier.filter(({ role }) => role === 'tool').length;
  const messages = [];
  const called = [];
  return {
    messages,
    called: (name) => called.includes(name),
    async call(name, input = {}) {
      called.push(name);
      const id = `call-${before + called.length}`;
      const output = answers[name](input);
      const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      messages.push({ role: 'assistant', content: null, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: id, name, content: output });
      return output;
    },
  };
}
