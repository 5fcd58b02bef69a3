import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** Below the scratch folder. */
export const USAGE_FILE = 'usage.json';

/** `copilot --prompt` with its events as JSON lines. */
export function launchCopilot(turn: AgentTurn): Launch {
  const { config, permissions, resume, sessionId, scratch, prompt } = turn;
  return {
    args: [
      '--output-format',
      'json',
      ...(permissions === 'full' ? ['--allow-all'] : []),
      '--no-auto-update',
      '--no-remote',
      '--disable-builtin-mcps',
      '--no-ask-user',
      '--no-color',
      ...(config.model === undefined ? [] : ['--model', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : [`--resume=${resume}`]),
      '--usage-output-file',
      `${scratch}/${USAGE_FILE}`,
      ...(config.args ?? []),
      `--prompt=${prompt}`,
    ],
  };
}
