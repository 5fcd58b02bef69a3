// What every coding agent must get right, with a scripted model. A check is one case of one eval.

import { conversation } from './conversation.mjs';

const DONE = 'DONE: as scripted';
const STRAY_SECONDS = 86431;

/**
 * A program of the workspace that kills the agent: the oldest ancestor of its shells with the mark of the attempt.
 * It is a file, because some agents refuse command lines with `kill` or with substitutions. It needs no `ps`: that of
 * busybox does not know a process by its id.
 */
export const killAgent = `(setsid sleep ${STRAY_SECONDS} >/dev/null 2>&1 &)
sleep 1
p=$$
while q=$(grep ^PPid: /proc/$p/status | tr -dc 0-9) && [ $q -gt 1 ] && tr '\\0' '\\n' < /proc/$q/environ | grep -q ^ASSAY_ATTEMPT=; do p=$q; done
kill -9 $p
`;

/** The value of a variable that no agent may see. */
export const CANARY = 'canary-0123456789';

/** Questions to an agent about its failed check, in its own session. */
const QUESTIONS = ['Why did you not run the linter?', 'Why did you not say please?'];

/**
 * - `replies(calls)`: what the model answers, by number of tool results; a function gets the working directory and
 *   the whole conversation.
 * - `assert`: the graders of the case, or with `isSuite` the body of its assert function.
 * - `user`: the user, if there is more than one prompt.
 * - `needsSandbox`: only with `--sandbox`.
 * - `isMocked`: only for agents that support our tools, whose answers are `mocks`.
 * - `fault(seen)`: the fault in the row and the log of the trial, or undefined.
 */
export const checks = {
  'shell and file': {
    replies: ({ shell, write }) => [
      { text: 'I will look first.', toolCalls: [shell('cat NOTES.md && pwd')] },
      ({ directory }) => ({
        text: 'Now I write.',
        toolCalls: [write(`${directory}/answer.txt`, 'hello')],
      }),
      { text: DONE },
    ],
    assert: [
      { type: 'equals', value: DONE },
      { type: 'commands', ran: ['/cat NOTES\\.md/'] },
      { type: 'file_reads', read: ['NOTES.md'] },
      { type: 'files', contains: { 'answer.txt': 'hello' } },
    ],
    fault: ({ row }) => notPassed(row) ?? withoutUsage(row) ?? stepsOf(row, 3),
  },
  skill: {
    replies: ({ skill }) => [{ toolCalls: [skill('demo')] }, { text: DONE }],
    assert: [
      { type: 'equals', value: DONE },
      { type: 'skills', used: ['demo'] },
    ],
    fault: ({ row }) => notPassed(row),
  },
  'mocked tool': {
    isMocked: true,
    replies: ({ mocked }) => [
      { toolCalls: [mocked('lookup_order', { id: 'ORD-1' })] },
      { toolCalls: [mocked('lookup_order', { id: 'ORD-2' })] },
      { text: DONE },
    ],
    mocks: [
      { tool: 'lookup_order', params: { id: 'ord-1' }, result: { status: 'delivered' } },
      { tool: 'lookup_order', match: 'any', error: { code: 'not_found', message: 'No such order' } },
    ],
    assert: [
      { type: 'equals', value: DONE },
      { type: 'tool_calls', called: [{ tool: 'lookup_order', args: { id: 'ORD-2' } }] },
    ],
    fault: ({ row, log }) =>
      notPassed(row) ??
      (log.includes('delivered') ? undefined : 'the answer of the mock is not in its transcript') ??
      (log.includes('No such order') ? undefined : 'the error of the mock is not in its transcript'),
  },
  'mocked tool without a mock': {
    isMocked: true,
    replies: ({ mocked }) => [{ toolCalls: [mocked('lookup_order', { id: 'ORD-3' })] }, { text: DONE }],
    mocks: [{ tool: 'lookup_order', params: { id: 'ORD-1' }, result: 1 }],
    fault: ({ row }) => notErrored(row, ['mock-miss']),
  },
  conversation,
  isolation: {
    replies: ({ shell }) => [
      { toolCalls: [shell('echo "canary=$ASSAY_TEST_CANARY; home=$HOME; attempt=$ASSAY_ATTEMPT;"')] },
      { text: DONE },
    ],
    assert: [{ type: 'equals', value: DONE }],
    fault: ({ row, log, home }) =>
      notPassed(row) ??
      (log.includes(CANARY) ? "it saw a variable of the operator's" : undefined) ??
      (log.includes(`home=${home};`) ? "HOME is the operator's" : undefined) ??
      (/attempt=[\w-]+;/.test(log) ? undefined : 'its shells do not carry the mark of the attempt'),
  },
  network: {
    needsSandbox: true,
    replies: ({ shell }) => [
      { toolCalls: [shell('curl -s -o page https://elsewhere.invalid/; echo "curl=$?;"')] },
      { text: DONE },
    ],
    assert: [{ type: 'equals', value: DONE }],
    fault: ({ row }) =>
      notPassed(row) ??
      ((row.network?.refused?.['elsewhere.invalid'] ?? 0) > 0
        ? undefined
        : `the connection was not counted: ${JSON.stringify(row.network)}`),
  },
  'wrong key': {
    replies: () => [{ status: 401, message: 'invalid api key' }],
    fault: ({ row }) => notErrored(row, ['http-error']) ?? otherDetail(row, 'credentials-rejected'),
  },
  'unknown model': {
    replies: () => [{ status: 404, message: 'the model is not found' }],
    fault: ({ row }) => notErrored(row, ['model-rejected']),
  },
  timeout: {
    isHasty: true,
    replies: () => [{ hang: true }],
    fault: ({ row }) => notErrored(row, ['timeout']),
  },
  kill: {
    replies: ({ shell }) => [{ toolCalls: [shell('sh ./end-of-agent.sh')] }, { text: DONE }],
    fault: ({ row, strays }) =>
      notErrored(row, ['runner-crash']) ?? (strays.length === 0 ? undefined : 'a stray process lives on'),
  },
  explain: {
    isSuite: true,
    replies: ({ shell }) => [
      { text: 'I will look first.', toolCalls: [shell('cat NOTES.md')] },
      ({ said }) => ({ text: answerTo(said) }),
    ],
    assert: `
      const asking = (question) => ({ explain: { question } });
      assert.commands.includes(report, 'cat NOTES.md');
      assert.soft.commands.includes(report, 'pnpm lint', asking(${JSON.stringify(QUESTIONS[0])}));
      assert.soft.output.includes(report, 'please', asking(${JSON.stringify(QUESTIONS[1])}));`,
    fault: ({ row, answers }) =>
      notFailed(row) ??
      otherThan(
        answers.map(({ question, answer, error }) => `${question} ${answer ?? error}`),
        QUESTIONS.map((question) => `${question} ${answerTo(question)}`),
      ),
  },
};

/** The model answers the last question in the session, or says that it is done if there is no question. */
function answerTo(said) {
  const places = QUESTIONS.map((question) => said.lastIndexOf(question));
  const last = Math.max(...places);
  return last < 0 ? DONE : `Answer ${places.indexOf(last) + 1}, as scripted`;
}

/** The command line of the process that a killed agent leaves behind. */
export const strayCommand = `sleep ${STRAY_SECONDS}`;

function notPassed({ verdict, error, grades }) {
  if (verdict === 'passed') return undefined;
  const fallen = (grades ?? []).filter(({ passed }) => passed === false).map(({ reason }) => reason);
  return `${verdict}: ${error?.message ?? fallen.join('; ')}`;
}

function notFailed({ verdict, grades }) {
  const reasons = (grades ?? []).map(({ reason }) => reason);
  if (verdict !== 'failed') return `${verdict}, and not failed`;
  return reasons.some((reason) => reason.startsWith('2 assertion failures')) ? undefined : reasons.join('; ');
}

function otherThan(got, wanted) {
  return got.join('; ') === wanted.join('; ') ? undefined : `answers: ${got.join('; ') || 'none'}`;
}

function notErrored({ verdict, error }, kinds) {
  if (verdict !== 'errored') return `${verdict}, and not errored`;
  return kinds.includes(error.kind) ? undefined : `errored with ${error.kind}: ${error.message}`;
}

function otherDetail({ error }, wanted) {
  return error.detail === wanted ? undefined : `detail ${error.detail}, and not ${wanted}: ${error.message}`;
}

function withoutUsage({ usage }) {
  return usage?.agent?.totalTokens > 0 ? undefined : 'no tokens are known';
}

function stepsOf({ steps }, wanted) {
  return steps === wanted ? undefined : `${steps} steps, and not ${wanted}`;
}
