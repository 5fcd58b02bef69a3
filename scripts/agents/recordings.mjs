// The scenarios that `npm run test:agents -- --record` records with every agent that has the tools for them, and the
// result expected from its adapter. This is known from the script; no adapter is involved.

const SKILL = 'SKILL.md';
const LATER = 'sleep 1 &&';
const DONE = 'DONE: as scripted';

/**
 * - `replies(calls)`: as in the checks; `resultsPerReply` tools answer between two of them.
 * - `expected`: content of `<scenario>.expected.json` besides the common part.
 */
export const recordings = {
  parallel: {
    resultsPerReply: 2,
    // The second of two calls ends after the first, because some agents print a call when it has ended.
    replies: ({ shell }) => [
      { text: 'I will look first.', toolCalls: [shell(`cat ${SKILL}`), shell(`${LATER} pwd`)] },
      { text: 'And further.', toolCalls: [shell('ls'), shell(`${LATER} echo done`)] },
      { text: DONE },
    ],
    expected: {
      commands: [`cat ${SKILL}`, `${LATER} pwd`, 'ls', `${LATER} echo done`],
      fileReads: [SKILL],
      messages: ['I will look first.', 'And further.', DONE],
    },
  },
  read: {
    needs: 'read',
    resultsPerReply: 1,
    replies: ({ shell, read }) => [
      { text: 'Where am I?', toolCalls: [shell('pwd')] },
      ({ directory }) => ({ text: 'I will read it.', toolCalls: [read(`${directory}/${SKILL}`)] }),
      { text: DONE },
    ],
    expected: {
      commands: ['pwd'],
      fileReads: [SKILL],
      messages: ['Where am I?', 'I will read it.', DONE],
    },
  },
};

/** The recordings that an agent has the tools for, with their names. */
export const recordingsOf = ({ calls }) =>
  Object.entries(recordings).filter(([, { needs }]) => needs === undefined || calls[needs] !== undefined);

/** The common part: the model reports 100 input and 20 output tokens for each answer. */
export function expectedOf({ expected }) {
  return {
    ...expected,
    skills: [],
    finalOutput: DONE,
    usage: { inputUncached: 300, cacheRead: null, cacheWrite: null, output: 60, reasoning: null },
    terminal: 'ok',
    sources: ['stdout'],
  };
}

/** Files of the folder in which they are recorded. */
export const recordedWorkspace = {
  [SKILL]:
    '---\nname: demo\ndescription: Demo skill. Use it when asked to write answer.txt.\n---\nWrite "hello" into answer.txt.\n',
};
