// The desk as a program, with tools over MCP. `node desk.mjs MESSAGES_FILE MCP_CONFIG` prints its next answer.
import { readFileSync } from 'node:fs';
import { reply } from './dialogue.mjs';
import { openTools } from './mcp-tools.mjs';

const [messagesFile, mcpConfig] = process.argv.slice(2);
const messages = JSON.parse(readFileSync(messagesFile, 'utf8'));
const tools = await openTools(mcpConfig);
const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
console.log(await reply(said, tools));
tools.close();
