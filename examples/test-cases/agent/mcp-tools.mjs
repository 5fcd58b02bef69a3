// The smallest client of an MCP server on stdio: one call after the other. Most agents have one already.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Starts the server that the config names `tools`. */
export async function openTools(config) {
  const { command, args, env } = JSON.parse(readFileSync(config, 'utf8')).mcpServers.tools;
  const server = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  async function ask(method, params) {
    send({ id: ++id, method, params });
    const { done, value } = await answers.next();
    if (done) throw new Error('the tools are gone');
    return JSON.parse(value).result;
  }
  const clientInfo = { name: 'desk', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    async call(name, input = {}) {
      const { content } = await ask('tools/call', { name, arguments: input });
      return JSON.parse(content[0].text);
    },
    close: () => server.stdin.end(),
  };
}
