import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';
import { TOOL_SERVER, toolServer, type ToolServer } from '../coding-agent/tool-server.ts';

/** It ignores settings below a temporary folder; an extension is added to those of its home. */
const EXTENSION_FILE = `.gemini/extensions/${TOOL_SERVER}/gemini-extension.json`;

/** `gemini` without its terminal, with its events as JSON lines. */
export function launchGemini(turn: AgentTurn): Launch {
  const { config, permissions, resume, sessionId, prompt } = turn;
  const server = toolServer(turn);
  return {
    args: [
      '--output-format',
      'stream-json',
      ...(permissions === 'full' ? ['--yolo'] : []),
      '--skip-trust',
      ...(config.model === undefined ? [] : ['-m', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]),
      ...(config.args ?? []),
      `--prompt=${prompt}`,
    ],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    ...(server === undefined ? {} : { homeFiles: { [EXTENSION_FILE]: extensionOf(server) } }),
  };
}

function extensionOf(server: ToolServer): string {
  return JSON.stringify({ name: TOOL_SERVER, version: '1.0.0', mcpServers: { [TOOL_SERVER]: server } });
}
