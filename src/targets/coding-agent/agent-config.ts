import * as z from 'zod';

const text = z.lazy(() => z.string().min(1));
const texts = z.lazy(() => z.array(z.string()));

/** Config keys of every coding agent; an adapter may omit some and add its own. */
export const agentKeys = () => ({
  model: text.describe('Model name; passed to the agent unchanged.'),
  command: text.optional().describe('The program. Default: the usual name of the agent, searched on PATH.'),
  commandArgs: texts.optional().describe('More arguments, placed before the arguments that assay adds.'),
  args: texts
    .optional()
    .describe('More arguments, placed after the arguments that assay adds, and before the prompt.'),
  inheritConfig: z
    .boolean()
    .optional()
    .describe('Whether the agent can use your own settings and logins. Default: false.'),
  skills: z
    .array(text)
    .optional()
    .describe(
      'Folders with a SKILL.md, or folders of such folders; copied to the folder in which the agent looks for skills.',
    ),
  files: z
    .record(text, z.string())
    .optional()
    .describe('Files to create in the private home folder of the agent: a mapping from paths to contents.'),
  permissions: z
    .enum(['full', 'agent'])
    .optional()
    .describe(
      'full: everything is allowed without asking (default in an isolated directory). agent: the agent uses its own permission rules (default in a directory of your own).',
    ),
  images: z.boolean().optional().describe('Whether the agent accepts images in messages.'),
});

/** The configuration of agents without keys of their own. */
export const plainAgentConfig = z.lazy(() => z.strictObject(agentKeys()));

export type AgentConfig = Readonly<Omit<z.infer<typeof plainAgentConfig>, 'model'>> & {
  readonly model?: string;
};
