import { sha256 } from '../../lib/digest.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { jsonIn } from '../../lib/text/json-in.ts';
import type { Asked, Said, Tokens } from './protocol.ts';
import type { Reply } from './script.ts';

/** Completes a reply. Ids depend on the request, so that equal requests get equal answers. */
export function sayingOf(reply: Reply, asked: Asked, body: string): Said {
  const id = sha256(body).slice(0, 16);
  const text = reply.json === undefined ? (reply.text ?? '') : JSON.stringify(reply.json);
  const isToolAnswer =
    asked.schemaTool !== undefined && reply.toolCalls === undefined && isObject(jsonIn(text));
  const toolCalls = isToolAnswer
    ? [{ id: `call_${id}`, name: asked.schemaTool ?? '', input: text }]
    : (reply.toolCalls ?? []).map((call, position) => ({
        id: call.id ?? `call_${id}_${position + 1}`,
        name: call.name,
        ...given({ namespace: call.namespace }),
        input: call.rawInput ?? JSON.stringify(call.input),
      }));
  return {
    id,
    model: reply.model ?? asked.model,
    text: isToolAnswer ? '' : text,
    thinking: reply.thinking ?? '',
    toolCalls,
    finish: toolCalls.length > 0 ? 'tool-calls' : (reply.finish ?? 'stop'),
    usage: reply.usage === null ? undefined : tokensOf(reply, asked, text),
    cost: reply.cost,
  };
}

/** About four characters per token. */
function tokensOf({ usage = {}, toolCalls = [] }: Reply, { messages }: Asked, text: string): Tokens {
  const { cacheRead = 0, cacheWrite = 0, reasoning = 0 } = usage ?? {};
  const read = messages.reduce((sum, message) => sum + message.text.length, 0);
  const written = text.length + (toolCalls.length > 0 ? JSON.stringify(toolCalls).length : 0);
  const input = usage?.input ?? Math.ceil(read / 4);
  return { input, output: usage?.output ?? Math.ceil(written / 4), cacheRead, cacheWrite, reasoning };
}
