import { MeasurementError } from '../../core/errors.ts';
import type { Subject } from '../../core/grade.ts';
import type { JsonObject } from '../../lib/json.ts';
import { namedValue, neededNames, renderTemplate, templateNames } from '../../lib/text/template.ts';
import { isMaterialName, materialPart, type MaterialPart } from './material.ts';
import { rubricText, type RubricItem } from './rubric-list.ts';

/** A template with the values of this trial. */
export interface RenderedTask {
  readonly task: string;
  readonly material: readonly MaterialPart[];
}

export interface TaskSource {
  readonly subject: Subject;
  readonly config?: JsonObject | undefined;
  readonly items?: readonly RubricItem[] | undefined;
}

/**
 * Fills in the author's texts, and replaces names of material by references to it. Text of the trial never becomes a
 * part of the task.
 */
export async function renderTask(template: string, source: TaskSource): Promise<RenderedTask> {
  const names = templateNames(template);
  const shown = names.filter((name) => isMaterialName(rootOf(name)));
  const material = await Promise.all(
    [...shown, ...unasked(shown, source.subject)].map((name) => partFor(name, source)),
  );
  const own = authored(source);
  const needed = neededNames(template);
  const task = renderTemplate(template, (name) => {
    if (isMaterialName(rootOf(name))) return `[${name}, in the material]`;
    const value = namedValue(own, name);
    if (value === undefined && needed.includes(name)) throw missing(name, source.subject);
    return value;
  });
  return { task, material };
}

/** Material that the judge needs and the template does not name. */
function unasked(shown: readonly string[], { case: { expectedOutput } }: Subject): readonly string[] {
  const roots = shown.map(rootOf);
  if (roots.length === 0) {
    return ['question', ...(expectedOutput === undefined ? [] : ['reference']), 'answer'];
  }
  return roots.some((root) => root === 'answer' || root === 'output' || root === 'transcript')
    ? []
    : ['answer'];
}

async function partFor(name: string, { subject }: TaskSource): Promise<MaterialPart> {
  const part = await materialPart(name, subject);
  if (part === undefined) throw missing(name, subject);
  return part;
}

/** The author's text for the judge. */
function authored({ subject, config, items }: TaskSource) {
  const { criteria, vars } = subject.case;
  return { criteria, vars, config, rubrics: items === undefined ? undefined : rubricText(items) };
}

function rootOf(name: string): string {
  return name.split('.')[0] ?? '';
}

function missing(name: string, { case: { id } }: Subject): MeasurementError {
  return promptError(`the prompt uses {{ ${name} }}, which the test ${JSON.stringify(id)} does not have`);
}

/** A prompt that cannot be filled in. */
export function promptError(message: string): MeasurementError {
  return new MeasurementError(message, { stage: 'grading', kind: 'grader', detail: 'judge-prompt' });
}
