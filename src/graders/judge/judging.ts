import type { Finding, Subject } from '../../core/grade.ts';
import type { Judge } from '../../core/judge.ts';
import type { GraderServices } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { judgeOf, type JudgeKeys } from '../judge-keys.ts';
import { scoreForm, type AnswerForm, type ScoreAnswer } from './answer-form.ts';
import type { Asking } from './ask-judge.ts';
import { scoreFinding, type Asker } from './findings.ts';
import type { MaterialPart } from './material.ts';
import { promptDigestOf } from './question.ts';
import { renderTask } from './render-task.ts';
import type { RubricItem } from './rubric-list.ts';
import { sampled, type Sampled } from './samples.ts';

/** A model grader as configured. */
export interface Judging<Answer> {
  readonly settings: JudgeKeys;
  readonly template: string;
  /** The part of the template that is the same for every test; default: all of it. */
  readonly identity?: string;
  readonly form: AnswerForm<Answer>;
  readonly items?: readonly RubricItem[] | undefined;
  readonly config?: JsonObject | undefined;
  /** Material in addition to what the template names. */
  readonly more?: readonly MaterialPart[];
  /** How the requests of one sample are answered, for judges with tools. */
  readonly answering?: (judge: Judge) => Asking['answering'];
  readonly findings: (sampled: Sampled<Answer>, asker: Asker) => readonly Finding[];
}

/** Renders the prompt, asks the judge and reads its answer, for all model graders. */
export async function judged<Answer>(
  judging: Judging<Answer>,
  { subject, services }: { readonly subject: Subject; readonly services: GraderServices },
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { settings, template, form, items, config, more = [] } = judging;
  const judge = services.judgeFor(judgeOf(settings), subject.target);
  const rendered = await renderTask(template, { subject, config, items });
  const promptDigest = promptDigestOf(judging.identity ?? template, form.words);
  const answering = judging.answering?.(judge);
  const asked = await sampled(
    { task: rendered.task, material: [...rendered.material, ...more], form, promptDigest },
    {
      judge,
      redact: services.redact,
      overflow: settings.overflow ?? 'offered',
      signal,
      ...given({ repetition: subject.repetition, answering }),
    },
    settings.samples ?? judge.samples,
  );
  return judging.findings(asked, { judge, promptDigest });
}

/** The same for graders whose judge gives one score. */
export async function scored(
  judging: Omit<Judging<ScoreAnswer>, 'form' | 'findings'> & Partial<Pick<Judging<ScoreAnswer>, 'form'>>,
  grading: { readonly subject: Subject; readonly services: GraderServices },
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const findings: Judging<ScoreAnswer>['findings'] = (asked, asker) => [scoreFinding(asked, asker)];
  return judged({ form: scoreForm, ...judging, findings }, grading, signal);
}
