import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from '../lib/bundle.mjs';
import { cache, inRoot } from '../lib/paths.mjs';
import { checks } from './checks.mjs';
import { playedUser, userReply } from './conversation.mjs';
import { agents, modelOnTheWire } from './programs.mjs';
import { recordings } from './recordings.mjs';

const scripts = { ...checks, ...recordings };

/** The scripted model server for the checks and the recordings. It is stateless, so agents may call it in any order. */
export async function startScriptedModel() {
  const outfile = join(cache, 'agents', 'model-server.mjs');
  mkdirSync(join(cache, 'agents'), { recursive: true });
  await bundle(inRoot('src/models/mock-server/server.ts'), outfile);
  const { startModelServer } = await import(pathToFileURL(outfile).href);
  const server = await startModelServer({ replyTo });
  return { url: server.url, close: () => server[Symbol.asyncDispose]() };
}

/** The prompt of a check, by which the script recognises it. */
export const promptOf = (id) => `Check of coding agents: ${id}.`;

function replyTo({ model, messages, allToolResults, offersTools }) {
  if (model === playedUser) return userReply;
  const agent = Object.values(agents).find((each) => modelOnTheWire(each) === model);
  const said = messages.map(({ text }) => text).join('\n');
  const check = Object.entries(scripts).find(([id]) => said.includes(promptOf(id)))?.[1];
  // Agents also ask for titles, summaries and the like.
  if (agent === undefined || check === undefined) return { text: 'nothing to say' };
  const replies = check.replies(agent.calls);
  const [first] = replies;
  if (!offersTools && first.status === undefined && first.hang === undefined) return { text: 'a title' };
  const step = Math.floor(allToolResults / (check.resultsPerReply ?? 1));
  const reply = replies[Math.min(step, replies.length - 1)];
  return {
    usage: { input: 100, output: 20 },
    ...(typeof reply === 'function' ? reply({ directory: directoryIn(said), said }) : reply),
  };
}

/** The last line that is an absolute path: the output of `pwd`. */
function directoryIn(said) {
  return said.match(/^\/[^\s:*?"<>|]+$/gm)?.at(-1);
}
