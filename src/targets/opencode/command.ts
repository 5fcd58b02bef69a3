import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';
import { TOOL_SERVER, toolServer, type ToolServer } from '../coding-agent/tool-server.ts';

/** `opencode run` with its events as JSON lines; it crashes when a flag is given twice. */
export function launchOpencode(turn: AgentTurn): Launch {
  const { config, permissions, resume, prompt } = turn;
  const server = toolServer(turn);
  return {
    args: [
      'run',
      '--format',
      'json',
      '--thinking',
      ...(permissions === 'full' ? ['--auto'] : []),
      ...(config.model === undefined ? [] : ['--model', config.model]),
      ...(resume === undefined ? [] : ['--session', resume]),
      ...(config.args ?? []),
      '--',
      prompt,
    ],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      ...(server === undefined ? {} : { OPENCODE_CONFIG_CONTENT: configWith(server) }),
    },
  };
}

/** Merged with the config of the home. */
function configWith({ command, args, env }: ToolServer): string {
  const server = { type: 'local', command: [command, ...args], environment: env, enabled: true };
  return JSON.stringify({ mcp: { [TOOL_SERVER]: server } });
}
