import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';
import { serversFile, toolServer } from '../coding-agent/tool-server.ts';

/** Below the scratch folder. */
const SERVERS_FILE = 'mcp.json';

/** `claude -p` with its events as JSON lines. */
export function launchClaude(turn: AgentTurn): Launch {
  const { config, permissions, resume, sessionId, scratch, prompt } = turn;
  const server = toolServer(turn);
  const isFree = permissions === 'full';
  return {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...(config.model === undefined ? [] : ['--model', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]),
      ...(isFree ? ['--dangerously-skip-permissions'] : []),
      ...(server === undefined ? [] : ['--mcp-config', `${scratch}/${SERVERS_FILE}`, '--strict-mcp-config']),
      ...(config.args ?? []),
      '--',
      prompt,
    ],
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // As root it only runs without permission prompts if it is told that it is in a sandbox.
      ...(isFree && turn.isRoot ? { IS_SANDBOX: '1' } : {}),
    },
    ...(server === undefined ? {} : { files: { [SERVERS_FILE]: serversFile(server) } }),
  };
}
