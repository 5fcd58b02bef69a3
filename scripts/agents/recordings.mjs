// What `npm run test:agents -- --record` records of every agent that has the tools for it, and what an adapter should
// make of that. Known from the script alone: no adapter is asked.

const SKILL = 'SKILL.md';
const LATER = 'sleep 1 &&';
const DONE = 'DONE: as scripted';

/**
 * - `replies(calls)`: as those of the checks; `resultsPerReply` tools answer between two of them.
 * - `expected`: what stands in `<scenario>.expected.json` besides what holds for all.
 */
export const recordings = {
  parallel: {
    resultsPerReply: 2,
    // The second call of two ends after the first: some print a call when it has ended.
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

/** What holds for all: the model says of each answer that it took 100 tokens in and 20 out. */
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

/** Whatever a folder needs in which they are recorded. */
export const recordedWorkspace = {
  [SKILL]:
    '---\nname: demo\ndescription: Demo skill. Use it when asked to write answer.txt.\n---\nWrite "hello" into answer.txt.\n',
};
