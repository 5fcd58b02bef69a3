import { judgeFinder } from '../../src/app/binding/judges.ts';
import type { Finding, Subject } from '../../src/core/grade.ts';
import type { JudgeSettings } from '../../src/core/judge.ts';
import type { ModelDoor } from '../../src/core/model.ts';
import type { GraderPlugin, GraderServices } from '../../src/core/plugin.ts';
import { doorTo } from '../../src/models/door.fixture.ts';
import { services, subjectOf, type SubjectSketch } from '../../src/graders/subject.fixture.ts';

export interface JudgeSketch {
  readonly settings?: Partial<JudgeSettings>;
  readonly redact?: (text: string) => string;
  readonly directory?: string;
  /** What asks in the place of a plain door to `url`. */
  readonly models?: ModelDoor;
}

/** What a grader is given when its judge is a model behind `url`. */
export function servicesOver(url: string, sketch: JudgeSketch = {}): GraderServices {
  const models = sketch.models ?? doorTo(url);
  const judge = { model: 'local/judge', ...sketch.settings };
  return {
    ...services,
    models,
    ...(sketch.directory === undefined ? {} : { directory: sketch.directory }),
    redact: sketch.redact ?? ((text) => text),
    judgeFor: judgeFinder({
      names: { ofTarget: () => undefined, ofConfig: judge },
      models,
      targets: new Map(),
      prepared: async (name) => {
        throw new Error(`no target ${name} is to be asked in this test`);
      },
    }),
  };
}

/** What a model grader finds, its configuration checked as the loader would. */
export async function judgedBy<Config>(
  plugin: GraderPlugin<Config>,
  config: unknown,
  {
    services: given,
    subject,
  }: { readonly services: GraderServices; readonly subject: Subject | SubjectSketch },
): Promise<readonly Finding[]> {
  const whole = 'transcript' in subject ? subject : subjectOf(subject);
  const grader = plugin.create(plugin.config.parse(config), given);
  return await grader.grade(whole, new AbortController().signal);
}
