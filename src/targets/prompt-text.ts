import { textOf, type Message, type Part } from '../core/message.ts';

/**
 * A conversation as one text, for targets without messages: earlier messages as `<system>`, `<user>`, `<assistant>`
 * blocks, then the last message unchanged. Nothing is escaped.
 */
export function promptText(earlier: readonly Message[], last: readonly Part[] | undefined): string {
  if (earlier.length === 0) return last === undefined ? '' : textOf(last);
  const blocks = earlier.map(block);
  if (last !== undefined) blocks.push(textOf(last));
  return blocks.join('\n\n');
}

function block({ role, parts, toolCalls = [] }: Message): string {
  const calls = toolCalls.map(
    ({ tool, input }) => `<tool-call name=${JSON.stringify(tool)}>${JSON.stringify(input ?? {})}</tool-call>`,
  );
  const lines = [textOf(parts), ...calls].filter((line) => line !== '');
  return `<${role}>\n${lines.join('\n')}\n</${role}>`;
}
