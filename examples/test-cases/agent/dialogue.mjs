// The desk of a library: a few rules, and tools that it calls. It keeps nothing between its turns: whatever it knows of
// a conversation stands in the messages.

/** What the desk says to what was said so far; `tools` answers its calls. */
export async function reply(said, tools) {
  const last = said.at(-1) ?? '';
  if (/\b(bye|goodbye|that is all|that's all)\b/i.test(last)) {
    await tools.call('farewell');
    return 'You are welcome. Goodbye.';
  }
  if (/\b(address|where .* lives?|phone)\b/i.test(last)) {
    return 'I do not give out what I know about other members.';
  }
  if (/\b(open|hours)\b/i.test(last)) return 'We are open from 9 to 18 on weekdays.';
  if (/\b(person|somebody|librarian)\b/i.test(last)) {
    await tools.call('hand_over', { reason: 'the visitor asked for a person' });
    return 'I am passing you on to a librarian, who will write to you today.';
  }
  return withCard(said, tools);
}

/** Everything that needs to know who asks. */
async function withCard(said, tools) {
  const card = lastMatch(said, /\bL-\d{4}\b/g);
  if (card === undefined) return 'May I have the number of your library card, such as L-1000?';
  const member = await tools.call('find_member', { card });
  if (member.error !== undefined) return `There is no card ${card}. Is the number right?`;
  const title = named(said, member.loans);
  if (!said.some((text) => /\b(renew|longer|extend)\b/i.test(text))) {
    return `${member.name}, you have ${member.loans.join(' and ')}. What can I do for you?`;
  }
  if (title === undefined) return `Which of your books shall I renew: ${member.loans.join(' or ')}?`;
  const renewal = await tools.call('renew_loan', { card, title });
  return renewal.error === undefined
    ? `I have renewed ${title} until ${renewal.due}.`
    : `I cannot renew ${title}: ${renewal.error.message}.`;
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
