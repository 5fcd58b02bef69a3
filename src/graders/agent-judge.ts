import * as z from 'zod';

import type { ErrorDetail } from '../core/error-code.ts';
import { MeasurementError } from '../core/errors.ts';
import type { Finding, Grader, Subject } from '../core/grade.ts';
import type { Judge } from '../core/judge.ts';
import type { GraderPlugin, GraderServices } from '../core/plugin.ts';
import {
  asksFor,
  judgeKeys,
  judgeOf,
  promptKey,
  unknownNames,
  varNames,
  withoutTimeout,
} from './judge-keys.ts';
import { checksForm } from './judge/checks-form.ts';
import { AGENT_PROMPT, WITH_TOOLS } from './judge/default-prompt.ts';
import { checksFindings } from './judge/findings.ts';
import { judged, scored } from './judge/judging.ts';
import { lookAround } from './judge/look-around.ts';
import { promptText, withRubrics } from './judge/prompt-text.ts';
import { rubricList, type RubricItem } from './judge/rubric-list.ts';
import { workspaceTools } from './judge/workspace-tools.ts';
import { directoryAsLeft } from './workspace-file.ts';
import { filesOf } from './llm-judge.ts';
import { rubricItems } from './rubric-items.ts';
import { jsonMapping } from '../lib/text/json-value.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      prompt: promptKey.optional(),
      rubrics: rubricItems.optional().describe('Items that the judge checks.'),
      target: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Reserved: a coding agent cannot be the judge yet. Leave it out. A model with read-only tools is the judge.',
        ),
      max_steps: z.int().min(1).optional().describe('Maximum steps of the judge. Default: 20.'),
      ...judgeKeys,
      config: jsonMapping().optional().describe('Values for {{ config.name }} in the prompt.'),
    })
    .refine(({ prompt, rubrics }) => prompt !== undefined || rubrics !== undefined, {
      message: 'needs a prompt or rubrics',
    })
    .refine(({ judge, target }) => judge === undefined || target === undefined, {
      message: 'takes a judge or a target, not both',
      path: ['target'],
    }),
);

type AgentJudge = z.infer<typeof config>;

const DEFAULT_MAX_STEPS = 20;

export const agentJudge: GraderPlugin<AgentJudge> = {
  type: 'agent_judge',
  version: 1,
  summary: 'A judge reads the workspace and grades the work.',
  config,
  readsCriteria: ({ prompt }) => prompt !== undefined && asksFor(prompt, 'criteria'),
  readsReference: ({ prompt }) => prompt !== undefined && asksFor(prompt, 'reference'),
  asksJudge: ({ target }) => target === undefined,
  judge: judgeOf,
  deciding: withoutTimeout,
  files: ({ prompt }) => filesOf(prompt),
  touches: ({ target }) => (target === undefined ? 'files' : 'programs'),
  fileFaults: unknownNames,
  fileVars: varNames,
  create: (settings, services): Grader => ({
    grade: async (subject, signal) => look(settings, { subject, services }, signal),
  }),
};

async function look(
  settings: AgentJudge,
  grading: { readonly subject: Subject; readonly services: GraderServices },
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { subject, services } = grading;
  if (settings.target !== undefined) throw agentsComeLater(settings.target);
  const { workspace } = subject;
  if (workspace === undefined) throw noWorkspace(subject);
  const tools = workspaceTools(directoryAsLeft(workspace));
  const items = settings.rubrics === undefined ? undefined : rubricList(settings.rubrics);
  const template = await templateOf(settings, items, services.directory);
  const common = {
    settings,
    template,
    items,
    config: settings.config,
    answering: (judge: Judge) => {
      if (!judge.takesTools) throw cannotLook(judge);
      const maxSteps = settings.max_steps ?? DEFAULT_MAX_STEPS;
      return lookAround({ judge, tools, redact: services.redact, maxSteps });
    },
  };
  if (items === undefined) return scored(common, grading, signal);
  return judged(
    { ...common, form: checksForm(items), findings: (asked, asker) => checksFindings(asked, items, asker) },
    grading,
    signal,
  );
}

async function templateOf(
  { prompt }: AgentJudge,
  items: readonly RubricItem[] | undefined,
  directory: string,
): Promise<string> {
  if (prompt === undefined) return AGENT_PROMPT + WITH_TOOLS;
  return withRubrics(await promptText(prompt, directory), items) + WITH_TOOLS;
}

function agentsComeLater(target: string): MeasurementError {
  return graderError(
    `a coding agent as judge is not supported yet (target: ${target})`,
    'judge-not-available',
    'remove `target`; the judge then reads the workspace with read-only tools',
  );
}

function noWorkspace({ case: { id } }: Subject): MeasurementError {
  return graderError(
    `agent_judge needs a workspace, but the trial of ${JSON.stringify(id)} has none`,
    'no-workspace',
    'add a `workspace` to the test; to grade a stored run, keep workspaces with `keep: always`',
  );
}

function cannotLook({ name }: Judge): MeasurementError {
  return graderError(
    `agent_judge needs a judge that supports tools, but the target ${name} does not`,
    'judge-without-tools',
    'use a model as judge, or a target of type `model`',
  );
}

function graderError(message: string, detail: ErrorDetail, hint: string): MeasurementError {
  return new MeasurementError(`${message} (${hint})`, { stage: 'grading', kind: 'grader', detail, hint });
}
