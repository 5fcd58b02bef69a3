import type { JsonValue } from '../lib/json.ts';

/** The JSON value of a text, or why it does not parse. */
export type Parsed = { readonly value: JsonValue } | { readonly problem: string };

/** Parses a text as one JSON value; white space around it is ignored. */
export function parseJson(text: string): Parsed {
  if (text.trim() === '') return { problem: 'it is empty' };
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: message.length <= 200 ? message : `${message.slice(0, 200)}...` };
  }
}

export function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, mark = '', label = ''] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/.exec(line) ?? [];
    if (fence === undefined) {
      if (mark !== '') [fence, lines] = [mark, []];
    } else if (mark.startsWith(fence) && label.trim() === '') {
      blocks.push(lines.join('\n'));
      fence = undefined;
    } else {
      lines.push(line);
    }
  }
  return blocks;
}
