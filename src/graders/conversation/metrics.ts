/** A metric that a judge scores for a conversation: from 0 to 5, or yes and no. */
export interface Metric {
  readonly id: string;
  /** The name for people and for the judge. */
  readonly displayName?: string;
  readonly tier: string;
  readonly kind: 'scored' | 'binary';
  /** What it measures, and what each score means. */
  readonly rubric: string;
  /** Absent: every list must set a weight. */
  readonly defaultWeight?: number;
}

/** Metrics about tools, which are skipped for agents without tools. */
export const TOOL_METRICS: ReadonlySet<string> = new Set([
  'tool_routing',
  'parameter_extraction',
  'result_interpretation',
]);

/** The built-in metrics. Those with a default weight are used when no metrics are listed. */
export const BUILT_IN_METRICS: readonly Metric[] = [
  scored({ id: 'tool_routing', tier: 'execution', defaultWeight: 0.15 }, [
    'Did the agent use the right tools at the right time? If nothing was needed and nothing was called, the score is 5.',
    'Each call that was needed was made, in an order that works, and none besides.',
    'One call was idle or misplaced and did no harm.',
    'One call that was needed is absent, or one wrong tool was called.',
    'Several calls are absent or wrong, and the work suffers from it.',
    'Hardly a call is right.',
    'Calls were needed, and none that was made belongs to the task.',
  ]),
  scored({ id: 'parameter_extraction', tier: 'execution', defaultWeight: 0.15 }, [
    'What went into the calls? If no call was needed, the score is 5.',
    'All arguments agree with what was said or looked up.',
    'One argument is inexact, without an effect.',
    'One argument that matters is wrong or absent.',
    'Several arguments are wrong or absent.',
    'Most of the arguments are made up.',
    'The arguments have nothing to do with the talk, or a call that was needed was never made.',
  ]),
  scored({ id: 'result_interpretation', tier: 'execution', defaultWeight: 0.15 }, [
    'What did the agent make of the answers of its tools? If no tool answered, the score is 5.',
    'The answers are used fully and rightly, and failures are noticed.',
    'A detail that nobody misses is left out.',
    'One point that matters is misread.',
    'What the agent makes of the answers misleads.',
    'The answers are mostly ignored or contradicted.',
    'What the agent says is unrelated to what came back.',
  ]),
  scored({ id: 'grounding_fidelity', tier: 'knowledge', defaultWeight: 0.125 }, [
    'Do the statements of the agent rest on something: the talk, its instructions, the answers of its tools?',
    'All can be traced, and what is unknown is called unknown.',
    'One loose remark without weight.',
    'One statement that nothing supports and that could mislead.',
    'Several such statements.',
    'Most of it is invented.',
    'It is invented throughout.',
  ]),
  scored({ id: 'instruction_compliance', tier: 'knowledge', defaultWeight: 0.125 }, [
    'Does the agent keep to its instructions and its role?',
    'Every instruction that applies is kept.',
    'One slip of form.',
    'One instruction is clearly broken.',
    'Several instructions are broken.',
    'They are mostly disregarded.',
    'The agent acts as if there were none.',
  ]),
  scored({ id: 'information_gathering', tier: 'process', defaultWeight: 0.1 }, [
    'Does the agent ask before it acts?',
    'It asks for all that it lacks, and for nothing that it has.',
    'One question was needless.',
    'It acts without one fact that it needs, or forgets one.',
    'Several such gaps.',
    'It acts on next to nothing.',
    'It never learns what is wanted, or only ever asks.',
  ]),
  scored({ id: 'conversation_management', tier: 'process', defaultWeight: 0.1 }, [
    'How does the agent steer the course of the talk?',
    'What is unclear is settled, mishaps are repaired, and the talk has a proper end.',
    'One missed chance, or a hurried end.',
    'One misunderstanding is left standing.',
    'Several are left standing, and the thread slips.',
    'The thread is mostly lost.',
    'The talk is stuck or incoherent.',
  ]),
  scored({ id: 'response_delivery', tier: 'delivery', defaultWeight: 0.1 }, [
    'In what form does the agent answer?',
    'Brief, plain, fit for the channel, one question at a time.',
    'One blemish.',
    'One reply is hard to use.',
    'Several replies are hard to use.',
    'Nearly all of them are hard to use.',
    'The form defeats the content.',
  ]),
  {
    id: 'task_completion',
    tier: 'execution',
    kind: 'binary',
    rubric:
      'Passes when what the user came for was achieved by the end of the talk, as the outcomes describe it if there are any.',
  },
];

/** The question that replaces all metrics when a case has its own criterion. */
const OVERRIDE_METRIC_ID = 'criteria_override';

/** The metric for a case's own criterion. */
export function overrideMetric(criterion: string): Metric {
  const scale = scaleText([
    'The criterion is fully met.',
    'It is nearly met.',
    'There is a notable gap.',
    'It is mostly not met.',
    'It is hardly met.',
    'It is not met.',
  ]);
  return {
    id: OVERRIDE_METRIC_ID,
    tier: 'case',
    kind: 'scored',
    rubric: `The criterion of this case: ${criterion.trim()}\n${scale}`,
    defaultWeight: 1,
  };
}

function scored(
  metric: Pick<Metric, 'id' | 'tier' | 'defaultWeight'>,
  [about = '', ...levels]: readonly string[],
): Metric {
  return { ...metric, kind: 'scored', rubric: `${about}\n${scaleText(levels)}` };
}

/** From 5 down to 0. */
function scaleText(levels: readonly string[]): string {
  return levels.map((level, index) => `${levels.length - 1 - index}: ${level}`).join('\n');
}
