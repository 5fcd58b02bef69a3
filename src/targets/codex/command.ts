import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';
import { TOOL_SERVER, toolServer, type ToolServer } from '../coding-agent/tool-server.ts';

/** `codex exec` with its events as JSON lines. */
export function launchCodex(turn: AgentTurn): Launch {
  const { config, permissions, resume, directory, prompt } = turn;
  const server = toolServer(turn);
  return {
    args: [
      'exec',
      ...(resume === undefined ? [] : ['resume', resume]),
      '--json',
      // Without it the program waits for its own telemetry when there is no network.
      '-c',
      'analytics.enabled=false',
      '--skip-git-repo-check',
      ...(resume === undefined ? ['-C', directory] : []),
      ...(config.model === undefined ? [] : ['-m', config.model]),
      ...(permissions === 'full' ? ['--dangerously-bypass-approvals-and-sandbox'] : []),
      ...(server === undefined ? [] : ['-c', `mcp_servers.${TOOL_SERVER}=${tomlOf(server)}`]),
      ...(config.args ?? []),
      '--',
      prompt,
    ],
  };
}

/** JSON strings are valid TOML strings. */
function tomlOf({ command, args, env }: ToolServer): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{command=${JSON.stringify(command)},args=${JSON.stringify(args)},env={${variables.join(',')}}}`;
}
