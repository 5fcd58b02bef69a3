import type { ErrorRecord, LimitMet } from '../../core/errors.ts';
import type { Evidence, Grade } from '../../core/grade.ts';
import type { Part } from '../../core/message.ts';
import type {
  Attached,
  AttachedEntry,
  AttemptRow,
  Fact,
  Row,
  RowDigests,
  RunDigests,
  RunEvent,
  RunMoney,
  RunPlan,
  UsageBySpender,
} from '../../core/run.ts';
import type { Effect, TranscriptEntry } from '../../core/transcript.ts';
import type { Usage } from '../../core/usage.ts';
import { CHOICE, clean, DIGEST, ID, type Keyed, keyed, NAME, PATH, TIME } from './place-rules.ts';

const tokens = clean(
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
);
const usage = keyed<Usage>(tokens);
const attached = { attachment: DIGEST, ...clean('bytes', 'start') };

const error = keyed<ErrorRecord>({
  stage: CHOICE,
  kind: CHOICE,
  detail: CHOICE,
  code: CHOICE,
  ...clean('message', 'hint', 'unknownEvents'),
});

const grade: Keyed = keyed<Grade>({
  name: NAME,
  type: NAME,
  metric: NAME,
  failureCode: CHOICE,
  evidence: keyed<Evidence>(clean('text', 'passed', 'turns')),
  members: {
    get keys() {
      return grade.keys;
    },
  },
  usage,
  ...clean('score', 'passed', 'reason', 'details', 'model', 'costUsd', 'spread', 'outcome', 'notes'),
  ...clean('required', 'weight', 'threshold', 'durationMs', 'digest'),
});

const row = keyed<Row>({
  suite: NAME,
  caseId: NAME,
  caseName: 'clean',
  target: NAME,
  verdict: CHOICE,
  isolation: CHOICE,
  status: CHOICE,
  fallenGates: NAME,
  failureClass: keyed<NonNullable<Row['failureClass']>>({ id: NAME, label: 'clean' }),
  skipped: CHOICE,
  end: keyed<NonNullable<Row['end']>>({ by: CHOICE, reason: 'clean' }),
  limit: keyed<LimitMet>({ kind: CHOICE, ...clean('ceiling', 'reached') }),
  unenforced: CHOICE,
  flags: CHOICE,
  tags: NAME,
  difficulty: CHOICE,
  startedAt: TIME,
  endedAt: TIME,
  artifactDir: PATH,
  workspacePath: PATH,
  attempts: keyed<AttemptRow>({ error, durationMs: 'clean' }),
  error,
  grades: grade,
  output: keyed<Attached>(attached),
  usage: keyed<UsageBySpender>({ agent: usage, user: usage, judge: usage }),
  costUsd: keyed<UsageBySpender>(clean('agent', 'user', 'judge')),
  digests: keyed<RowDigests>(clean('case', 'target', 'terms', 'mocks', 'userPrompt')),
  ...clean(
    'number',
    'repetition',
    'passed',
    'score',
    'overall',
    'threshold',
    'ungraded',
    'notes',
    'durationMs',
  ),
  cached: keyed<NonNullable<Row['cached']>>({ at: TIME, ...clean('runId') }),
  ...clean('latency', 'turns', 'steps', 'hermetic'),
});

const entry = keyed<TranscriptEntry | AttachedEntry>({
  id: ID,
  at: TIME,
  type: CHOICE,
  role: CHOICE,
  phase: CHOICE,
  fault: CHOICE,
  parts: keyed<Part>(clean('text', 'file', 'image', 'json')),
  effects: keyed<Effect>({
    confidence: CHOICE,
    ...clean('command', 'fileRead', 'fileWrite', 'skillUse', 'evidence'),
  }),
  ...attached,
  ...tokens,
  // Agents choose the ids of calls and sessions, so they may contain anything.
  ...clean('callId', 'parentCallId', 'turn', 'step', 'name', 'input', 'output', 'failed', 'durationMs'),
  ...clean('model', 'costUsd', 'auxiliary', 'derivesReasoning'),
});

const fact = keyed<Fact>({
  type: CHOICE,
  role: CHOICE,
  state: CHOICE,
  sink: NAME,
  dropped: ID,
  plan: keyed<RunPlan>({ trialsByTarget: { each: 'clean' }, ...clean('trials', 'seed') }),
  digests: keyed<RunDigests>({ config: DIGEST, suites: { each: DIGEST }, targets: { each: DIGEST } }),
  money: keyed<RunMoney>(clean('spentUsd', 'reservedUsd', 'setAsideUsd')),
  entry,
  grade,
  row,
  error,
  usage,
  ...clean(
    'number',
    'formatVersion',
    'sessionId',
    'model',
    'costUsd',
    'text',
    'durationMs',
    'reason',
    'remaining',
    'message',
  ),
});

/** The only texts of an event that are stored unchanged, each with a reason. All others are cleaned. */
export const SAFE_TEXTS = keyed<RunEvent>({
  trial: ID,
  at: TIME,
  fact,
  ...clean('sequence', 'attempt'),
});
