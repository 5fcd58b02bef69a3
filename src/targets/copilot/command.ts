import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';
import { serversFile, toolServer } from '../coding-agent/tool-server.ts';

/** Below the scratch folder. */
export const USAGE_FILE = 'usage.json';
const SERVERS_FILE = 'mcp.json';

/** `copilot --prompt` with its events as JSON lines. */
export function launchCopilot(turn: AgentTurn): Launch {
  const { config, permissions, resume, sessionId, scratch, prompt } = turn;
  const server = toolServer(turn);
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
      ...(server === undefined ? [] : ['--additional-mcp-config', `@${scratch}/${SERVERS_FILE}`]),
      ...(config.args ?? []),
      `--prompt=${prompt}`,
    ],
    ...(server === undefined
      ? {}
      : { files: { [SERVERS_FILE]: serversFile(server, { type: 'local', tools: ['*'] }) } }),
  };
}
