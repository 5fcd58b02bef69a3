// Checks that a simulated user can talk with an agent: its second message reaches the same session.

const QUESTION = 'Which file shall I look at?';
const LINE = 'Look at NOTES.md, please.';
const DONE = 'DONE: as the user wished';

/** The model that plays users in the checks. */
export const playedUser = 'user-of-checks';

/** Its answer: one message, which is the last. */
export const userReply = {
  json: { message: LINE, done: true, reason: 'satisfied', note: null },
  usage: { input: 50, output: 5 },
};

/** A session that was not resumed does not contain the first prompt, so the script has no answer for it. */
export const conversation = {
  user: { persona: 'Somebody with a file in mind.', goals: ['to have NOTES.md read'] },
  replies: ({ shell }) => [
    ({ said }) => (said.includes(LINE) ? { toolCalls: [shell('cat NOTES.md')] } : { text: QUESTION }),
    { text: DONE },
  ],
  assert: [
    { type: 'equals', value: DONE },
    { type: 'commands', ran: ['/cat NOTES\\.md/'] },
  ],
  fault: ({ row, log }) => {
    const { verdict, error, turns, end, usage } = row;
    if (verdict !== 'passed') return `${verdict}: ${error?.message ?? row.output}`;
    if (turns !== 2 || end?.by !== 'user') return `${turns} turns, ended by ${end?.by}`;
    if (usage.user?.totalTokens !== 55) return 'what the user spent is not told';
    return log.includes(QUESTION) ? undefined : 'its question is not in the transcript';
  },
};
