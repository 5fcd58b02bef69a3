import type { Measures, Subject, Finding } from '../core/grade.ts';
import { partsOf, type Message } from '../core/message.ts';
import type { GraderPlugin, GraderServices } from '../core/plugin.ts';
import type { TestCase } from '../core/test-case.ts';
import type { EntryBody, TranscriptEntry } from '../core/transcript.ts';
import { given } from '../lib/given.ts';

/** What a test may say about a subject; the rest is harmless. */
export interface SubjectSketch {
  readonly answer?: string;
  readonly reference?: unknown;
  readonly entries?: readonly (EntryBody & { readonly at?: string; readonly turn?: number })[];
  readonly tellsToolCalls?: boolean;
  readonly measures?: Partial<Measures>;
  readonly workspace?: Subject['workspace'];
  readonly case?: Partial<TestCase>;
}

export function subjectOf(sketch: SubjectSketch = {}): Subject {
  const expectedOutput: readonly Message[] | undefined =
    sketch.reference === undefined ? undefined : [{ role: 'assistant', parts: partsOf(sketch.reference) }];
  return {
    case: {
      id: 'case',
      directory: '/project',
      tags: [],
      input: [{ role: 'user', parts: [{ text: 'the question' }] }],
      expectations: [],
      ...given({ expectedOutput }),
      ...sketch.case,
    },
    target: 'agent',
    runId: '20260101T000000Z-000000',
    transcript: (sketch.entries ?? []).map(placed),
    answer: sketch.answer ?? '',
    ...given({ tellsToolCalls: sketch.tellsToolCalls }),
    measures: { durationMs: 1000, turns: 1, steps: 1, costUsd: null, ...sketch.measures },
    ...given({ workspace: sketch.workspace }),
  };
}

export const services: GraderServices = {
  directory: '/project',
  environment: {},
  models: {
    ask: async () => {
      throw new Error('this test asks no model');
    },
    priceOf: async () => null,
  },
  judgeFor: () => {
    throw new Error('no judge is to be asked in this test');
  },
  redact: (text) => text,
  graderFor: () => {
    throw new Error('this grader has no members');
  },
};

/** What a grader finds, its configuration checked as the loader would. */
export async function findingOf<Config>(
  plugin: GraderPlugin<Config>,
  config: unknown,
  subject: Subject | SubjectSketch,
): Promise<Finding> {
  const whole = 'transcript' in subject ? subject : subjectOf(subject);
  const grader = plugin.create(plugin.config.parse(config), services);
  const [finding, ...more] = await grader.grade(whole, new AbortController().signal);
  if (finding === undefined || more.length > 0) throw new Error('expected exactly one finding');
  return finding;
}

/** `path: message` of everything that is wrong with a configuration. */
export function problemsOf<Config>(plugin: GraderPlugin<Config>, config: unknown): readonly string[] {
  const result = plugin.config.safeParse(config);
  return (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

function placed(entry: EntryBody & { at?: string; turn?: number }, index: number): TranscriptEntry {
  return { at: '2026-01-01T00:00:00.000Z', turn: 1, ...entry, id: `e${index + 1}` };
}
