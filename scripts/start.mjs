// `npm start`: set up, show a stored conversation, then run the quickstart like a user.
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { showConversation } from './start/conversation.mjs';

const quickstart = 'examples/quickstart';

const explanation = `
The failure is real: the support agent has a defect, and a test found it. ${quickstart}/README.md shows the
line, and a cure of one line. (assay itself ended with exit code 1, as it does when a test fails.)`;

const next = `
Next
  ${quickstart}/evals/        the tests that ran: read one, change it, \`npm start\` again
  examples/test-cases/              the stored conversation, and four more
  npm start -- --verbose            a line for each test
  README.md                         how to test an agent of your own
In this repository, type \`node dist/bin.js\` wherever \`assay\` is written.`;

const setupCode = await run(process.execPath, [inRoot('scripts/setup.mjs')]);
if (setupCode !== 0) process.exit(setupCode);

const talkCode = await showConversation();
if (talkCode !== 0) process.exit(talkCode);

console.log(
  `assay run ${quickstart}: two small agents that live in this repository, and sixteen tests of them\n`,
);
const code = await run(process.execPath, [
  inRoot('dist/bin.js'),
  'run',
  quickstart,
  ...process.argv.slice(2),
]);
if (code === 1) console.log(explanation);
if (code === 0 || code === 1) console.log(next);
process.exitCode = code === 1 ? 0 : code;
