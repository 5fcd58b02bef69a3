import * as z from 'zod';

const text = z.lazy(() => z.string().min(1));
const texts = z.lazy(() => z.array(z.string()));

/** Keys of every coding agent; an adapter may leave out some and add its own. */
export const agentKeys = () => ({
  model: text.describe('Passed to the agent as written.'),
  command: text.optional().describe('The program. Default: the usual name of the agent, looked up on PATH.'),
  commandArgs: texts.optional().describe('Arguments before all others.'),
  args: texts.optional().describe('Arguments after those of assay, before the prompt.'),
  inheritConfig: z
    .boolean()
    .optional()
    .describe('Lets the agent see the settings and logins of whoever runs it. Default: false.'),
  skills: z
    .array(text)
    .optional()
    .describe('Folders with a SKILL.md, or folders of such folders, put where the agent looks for skills.'),
  files: z.record(text, z.string()).optional().describe('Files of its private home: path to text.'),
  permissions: z
    .enum(['full', 'agent'])
    .optional()
    .describe(
      'full: it may do everything without asking, the default in a directory made for it; agent: as the agent decides by itself, the default in a directory of your own.',
    ),
  images: z.boolean().optional().describe('Whether it understands images that messages name.'),
});

/** The configuration of agents that have no keys of their own. */
export const plainAgentConfig = z.lazy(() => z.strictObject(agentKeys()));

export type AgentConfig = Readonly<Omit<z.infer<typeof plainAgentConfig>, 'model'>> & {
  readonly model?: string;
};
