import type { AgentTurn } from './adapter.ts';

/** The server of the world's tools as agents call it; it says nothing of a test. */
export const TOOL_SERVER = 'tools';

/** How a program is told to start it. */
export interface ToolServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The server of a turn; undefined when the world offers no tools. */
export function toolServer({ mcp }: Pick<AgentTurn, 'mcp'>): ToolServer | undefined {
  if (mcp === undefined) return undefined;
  const [command = '', ...args] = mcp.command;
  return { command, args, env: mcp.environment };
}

/** The text of a file with `mcpServers`, as most programs read them. */
export function serversFile(server: ToolServer, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ mcpServers: { [TOOL_SERVER]: { ...server, ...more } } });
}
