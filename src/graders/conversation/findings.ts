import { GRADE_THRESHOLD, type Evidence, type Finding, type Subject } from '../../core/grade.ts';
import type { Judge } from '../../core/judge.ts';
import { digestOf } from '../../lib/digest.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { commonOf, failedFinding, told } from '../judge/findings.ts';
import { median, spreadOf, type Sampled } from '../judge/samples.ts';
import type { ConversationAnswer, MetricAnswer, OutcomeAnswer } from './answer-form.ts';
import type { WeighedMetric } from './choose-metrics.ts';
import { valueOf } from './values.ts';

export interface Judged {
  readonly metrics: readonly WeighedMetric[];
  readonly outcomes: JsonObject;
  readonly sampled: Sampled<ConversationAnswer>;
  readonly judge: Judge;
  readonly promptDigest: string;
  readonly subject: Pick<Subject, 'transcript'>;
}

/** One finding per metric and outcome; the first one also has the cost of asking. */
export function conversationFindings(judged: Judged): readonly Finding[] {
  const { metrics, outcomes, sampled } = judged;
  if (sampled.failure !== undefined) return [failedFinding(sampled, judged)];
  const turns = turnsOf(judged);
  const findings = [
    ...metrics.map((metric) => metricFinding(metric, sampled.answers, turns)),
    ...Object.entries(outcomes).map(([label, state]) =>
      outcomeFinding({ label, state }, sampled.answers, turns),
    ),
  ];
  const [first, ...rest] = findings;
  if (first === undefined) return [];
  const injection = sampled.answers.some((answer) => answer.injection);
  const dropped = turns.dropped();
  const { details, ...common } = commonOf(sampled, judged, {
    injection,
    ...(dropped === 0 ? {} : { dropped_turns: dropped }),
  });
  const { judge, promptDigest, ...ofTheCall } = details;
  const every = (finding: Finding, more: JsonObject = {}): Finding => ({
    ...finding,
    ...given({ model: common.model }),
    details: { ...(finding.details as JsonObject), judge, promptDigest, ...more },
  });
  return [
    { ...every(first, ofTheCall), ...common, reason: told(first.reason, injection) },
    ...rest.map((finding) => every(finding)),
  ];
}

interface Turns {
  /** Turns that exist in the transcript, without duplicates, ascending. */
  readonly kept: (turns: readonly number[]) => readonly number[];
  readonly dropped: () => number;
}

function turnsOf({ subject, sampled }: Judged): Turns {
  const known = new Set(subject.transcript.map(({ turn }) => turn));
  const named = sampled.answers.flatMap(({ metrics, outcomes }) =>
    [...Object.values(metrics), ...Object.values(outcomes)].flatMap(({ turns }) => turns),
  );
  return {
    kept: (turns) => [...new Set(turns)].filter((turn) => known.has(turn)).sort((a, b) => a - b),
    dropped: () => named.filter((turn) => !known.has(turn)).length,
  };
}

function metricFinding(
  { id, displayName, tier, kind, weight, rubric }: WeighedMetric,
  answers: readonly ConversationAnswer[],
  turns: Turns,
): Finding {
  const supplied = answers.flatMap(({ metrics }) => metrics[id] ?? []);
  const values = supplied.map(({ said }) => valueOf(said));
  const score = kind === 'binary' ? majority(values) : median(values);
  const nearest = nearestTo<MetricAnswer>(score, supplied, ({ said }) => valueOf(said));
  const kept = turns.kept(nearest?.turns ?? []);
  return {
    part: id,
    score,
    weight,
    reason: nearest?.justification ?? '',
    ...evidenceOf({ text: nearest?.justification ?? '', turns: kept, passed: score >= GRADE_THRESHOLD }),
    ...given({ failureCode: nearest?.failureCode }),
    ...(values.length > 1 ? { spread: spreadOf(values) } : {}),
    details: {
      ...given({ display_name: displayName }),
      tier,
      kind,
      rubric: digestOf(rubric),
      ...(supplied.length === 1 && nearest !== undefined
        ? { said: nearest.said }
        : { said: supplied.map(({ said }) => said) }),
    },
  };
}

function outcomeFinding(
  { label, state }: { readonly label: string; readonly state: unknown },
  answers: readonly ConversationAnswer[],
  turns: Turns,
): Finding {
  const supplied = answers.flatMap(({ outcomes }) => outcomes[label] ?? []);
  const score = majority(supplied.map(({ held }) => Number(held)));
  const nearest = nearestTo<OutcomeAnswer>(score, supplied, ({ held }) => Number(held));
  const verdict = score === 1 ? 'holds' : 'does not hold';
  const expected = state === true ? verdict : `expected ${JSON.stringify(state)}, which ${verdict}`;
  const reason = nearest?.reason.trim() ?? '';
  return {
    part: `outcome/${label}`,
    outcome: label,
    score,
    weight: 0,
    required: GRADE_THRESHOLD,
    reason: reason === '' ? expected : `${expected}: ${reason}`,
    ...evidenceOf({ text: reason, turns: turns.kept(nearest?.turns ?? []), passed: score === 1 }),
    details: {},
  };
}

function evidenceOf({ text, passed, turns = [] }: Evidence): { readonly evidence?: readonly Evidence[] } {
  return turns.length === 0 ? {} : { evidence: [{ text, passed, turns }] };
}

/** More than half; a tie counts as no. */
function majority(values: readonly number[]): number {
  return Number(values.filter((value) => value === 1).length * 2 > values.length);
}

function nearestTo<Answer>(
  score: number,
  supplied: readonly Answer[],
  valueIn: (answer: Answer) => number,
): Answer | undefined {
  return supplied.toSorted((a, b) => Math.abs(valueIn(a) - score) - Math.abs(valueIn(b) - score))[0];
}
