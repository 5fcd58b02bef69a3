import type { AgentTurn } from './adapter.ts';

/** The name of the tools' server for agents; it does not reveal a test. */
export const TOOL_SERVER = 'tools';

/** The form in which a program gets the command that starts it. */
export interface ToolServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The server of a turn; undefined when the world has no tools. */
export function toolServer({ mcp }: Pick<AgentTurn, 'mcp'>): ToolServer | undefined {
  if (mcp === undefined) return undefined;
  const [command = '', ...args] = mcp.command;
  return { command, args, env: mcp.environment };
}

/** The text of a file with `mcpServers`, the format of most programs. */
export function serversFile(server: ToolServer, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ mcpServers: { [TOOL_SERVER]: { ...server, ...more } } });
}
