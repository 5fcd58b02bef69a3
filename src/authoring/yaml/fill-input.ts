import type { JsonObject } from '../../lib/json.ts';
import { textFile } from '../../lib/text/prompt-file.ts';
import { fault, type Fault, type Path } from './fault.ts';
import { rootHint } from './file-lookup.ts';
import type { MessageGrammar, MessagesGrammar } from './grammar-parts.ts';
import type { MessagePlace } from './messages.ts';
import { fillVars } from './vars.ts';

type Reading = Pick<MessagePlace, 'directory' | 'files' | 'tell'>;

/** Messages for an agent: reads texts from the files they name, then replaces vars. */
export function fillInput(
  written: MessagesGrammar,
  vars: JsonObject | undefined,
  reading: Reading,
): MessagesGrammar {
  if (!namesFiles(written)) return fillVars(written, vars, reading.tell);
  const text = (value: string, path: Path): string => filledText(value, path, { ...reading, vars });
  if (typeof written === 'string') return text(written, []);
  const message = (value: MessageGrammar, path: Path): MessageGrammar => {
    if (isSaid(value)) return { ...value, content: text(value.content, [...path, 'content']) };
    return fillVars(value, vars, (found) => reading.tell({ ...found, path: [...path, ...found.path] }));
  };
  if (Array.isArray(written)) return written.map((value, index) => message(value, [index]));
  return message(written as MessageGrammar, []);
}

/** Whether messages are in files, whose content may contain vars. */
export function namesFiles(written: MessagesGrammar | undefined): boolean {
  if (written === undefined) return false;
  if (typeof written === 'string') return textFile(written) !== undefined;
  const messages = Array.isArray(written) ? written : [written as MessageGrammar];
  return messages.some((message) => isSaid(message) && textFile(message.content) !== undefined);
}

/** A message of an agent or a tool is never a file name. */
function isSaid(message: MessageGrammar): message is MessageGrammar & { readonly content: string } {
  return typeof message.content === 'string' && (message.role === 'user' || message.role === 'system');
}

function filledText(
  written: string,
  path: Path,
  { vars, directory, files, tell }: Reading & { readonly vars: JsonObject | undefined },
): string {
  const at = (found: Fault): void => tell({ ...found, path: [...path, ...found.path] });
  const named = textFile(written);
  if (named === undefined) return fillVars(written, vars, at);
  const file = fillVars(named, vars, at);
  const absolute = files.resolve(file, directory);
  if (files.kindOf(absolute) === 'file') {
    const inFile = (found: Fault): void => at({ ...found, message: `${file}: ${found.message}` });
    return fillVars(files.textOf(absolute).replace(/\r?\n$/, ''), vars, inFile);
  }
  at(fault('missing-file', `file not found: ${file}`, { hint: TEXT_HINT, ...rootHint(file) }));
  return written;
}

const TEXT_HINT = 'to send this text itself, write `content: [{ type: text, value: ... }]`';
