import type { Message, Part } from '../../core/message.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { fault, type Fault, type Path } from './fault.ts';
import { type FileLookup, pathHint } from './file-lookup.ts';
import type { MessageGrammar, MessagesGrammar } from './grammar-parts.ts';

export interface MessagePlace {
  /** The role of a text, and of a mapping without a role. */
  readonly role: 'user' | 'assistant';
  /** Absolute folder for paths of files. */
  readonly directory: string;
  readonly files: FileLookup;
  readonly tell: (found: Fault) => void;
}

/** The messages of an `input` or `expected_output`. */
export function messagesOf(written: MessagesGrammar, place: MessagePlace): readonly Message[] {
  if (typeof written === 'string') return [{ role: place.role, parts: [{ text: written }] }];
  if (Array.isArray(written)) return written.map((message, index) => messageOf(message, place, [index]));
  if (Object.hasOwn(written, 'role')) return [messageOf(written as MessageGrammar, place, [])];
  return [{ role: place.role, parts: [{ json: written as JsonObject }] }];
}

function messageOf(written: MessageGrammar, place: MessagePlace, path: Path): Message {
  const { role, content, name, tool_calls: calls } = written;
  if (place.role === 'user') for (const found of answeredCalls(calls, path)) place.tell(found);
  return {
    role,
    parts: partsOf(content, place, [...path, 'content']),
    ...given({ name }),
    ...(calls === undefined
      ? {}
      : {
          toolCalls: calls.map(({ tool, input, output, id, duration_ms: durationMs }) => ({
            tool,
            ...(input === undefined ? {} : { input: input as JsonValue }),
            ...(output === undefined ? {} : { output: output as JsonValue }),
            ...given({ id, durationMs }),
          })),
        }),
  };
}

/** In a history the answer of a tool is a separate message. */
function answeredCalls(calls: MessageGrammar['tool_calls'] = [], path: Path): readonly Fault[] {
  return calls.flatMap((call, index) =>
    (['output', 'duration_ms'] as const)
      .filter((key) => call[key] !== undefined)
      .map((key) =>
        fault(
          'unknown-key',
          `\`${key}\` of a tool call is only allowed in \`expected_output\` and \`oracle\``,
          {
            path: [...path, 'tool_calls', index, key],
            at: 'key',
            hint: 'write the result of the tool as the next message: { role: tool, name: ..., content: ... }',
          },
        ),
      ),
  );
}

function partsOf(content: MessageGrammar['content'], place: MessagePlace, path: Path): readonly Part[] {
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ text: content }];
  if (!Array.isArray(content)) return [{ json: content as JsonObject }];
  return content.map(({ type, value }, index): Part => {
    if (type === 'text') return { text: value };
    const absolute = place.files.resolve(value, place.directory);
    if (place.files.kindOf(absolute) !== 'file') {
      place.tell(
        fault('missing-file', `file not found: ${value}`, {
          path: [...path, index, 'value'],
          ...pathHint(value),
        }),
      );
    }
    return type === 'file' ? { file: absolute } : { image: absolute };
  });
}
