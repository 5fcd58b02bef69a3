import { isObject } from '../../lib/json.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { Path } from '../yaml/fault.ts';
import { noteOthers, type Importing } from './notes.ts';
import { nameOf } from './providers.ts';
import { renamedIn, renamedVars } from './template-vars.ts';

/** A prompt with the variable names of assay. */
export interface ImportedPrompt {
  readonly name: string;
  /** A text, or the messages of a chat. */
  readonly content: string | readonly ChatMessage[];
  /** The path of its file, if the text of that file can be used as it is. */
  readonly file?: string;
}

/** All prompts of a config, from texts and files. */
export function importPrompts(written: unknown, importing: Importing): readonly ImportedPrompt[] {
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  const found = list.flatMap((each, index) =>
    promptsIn(each, Array.isArray(written) ? ['prompts', index] : ['prompts'], importing),
  );
  return found.map((prompt, index) => {
    const isTaken = found.findIndex(({ name }) => name === prompt.name) !== index;
    return isTaken || prompt.name === ''
      ? { ...prompt, name: `${prompt.name || 'prompt'}-${index + 1}` }
      : prompt;
  });
}

function promptsIn(each: unknown, path: Path, importing: Importing): readonly ImportedPrompt[] {
  if (typeof each === 'string') return promptsOf(each, '', { path, importing });
  if (!isObject(each)) {
    importing.note(path, 'this prompt is not imported: it is neither a text nor a mapping');
    return [];
  }
  const { id, raw, label, ...rest } = each;
  noteOthers(rest, [], { path, importing });
  const text = raw ?? id;
  const name = typeof label === 'string' ? nameOf(label) : '';
  return typeof text === 'string' ? promptsOf(text, name, { path, importing }) : [];
}

interface PromptPlace {
  readonly path: Path;
  readonly importing: Importing;
}

function promptsOf(text: string, name: string, place: PromptPlace): readonly ImportedPrompt[] {
  const { path, importing } = place;
  const named = text.startsWith('file://') ? text.slice('file://'.length) : text;
  const isPath =
    text.startsWith('file://') ||
    (/^\S+\.(?:txt|md|json|ya?ml|js|ts|py|csv)$/.test(text) && !text.includes('{{'));
  if (!isPath) return [{ name, content: renamedVars(text, path, importing) }];
  return importing.filesOf(named).flatMap((file) => promptsInFile(file, name, place));
}

function promptsInFile(
  file: string,
  name: string,
  { path, importing }: PromptPlace,
): readonly ImportedPrompt[] {
  const [, stem = file, extension = ''] = /([^/]+?)\.(\w+)$/.exec(file) ?? [];
  const own = name === '' ? nameOf(stem) : name;
  if (!['txt', 'md', 'json', 'yaml', 'yml'].includes(extension)) {
    importing.note(
      path,
      `the prompt ${file} is not imported: it is not a text`,
      'write its texts into files',
    );
    return [];
  }
  const text = importing.readText(file);
  if (text === undefined) {
    importing.note(path, `the prompt ${file} is not imported: it cannot be read`);
    return [];
  }
  if (!['txt', 'md'].includes(extension)) return chatIn(text, { name: own, file }, { path, importing });
  const parts = extension === 'txt' ? text.split(/^---[ \t]*\r?$/m) : [text];
  const texts = parts.map((part) => part.trim()).filter((part) => part !== '');
  return texts.map((part, index) => {
    const content = renamedVars(part, path, importing);
    const isWhole = texts.length === 1 && content === part;
    return {
      name: texts.length === 1 ? own : `${own}-${index + 1}`,
      content,
      ...(isWhole ? { file: importing.moved(file) } : {}),
    };
  });
}

interface ChatMessage {
  readonly role?: unknown;
  readonly content: string;
}

/** The messages of a chat in JSON or YAML. */
function chatIn(
  text: string,
  { name, file }: { readonly name: string; readonly file: string },
  { path, importing }: PromptPlace,
): readonly ImportedPrompt[] {
  const parsed = parseYaml(text, 'no-aliases');
  const messages: unknown = 'value' in parsed ? parsed.value : undefined;
  if (
    Array.isArray(messages) &&
    messages.every((each) => isObject(each) && typeof each['content'] === 'string')
  ) {
    const content = renamedIn(messages, path, importing) as readonly ChatMessage[];
    const [only, ...others] = content;
    const isText = only?.role === 'user' && others.length === 0;
    return [{ name, content: isText ? only.content : content }];
  }
  importing.note(path, `the prompt ${file} is not imported: it is not a list of messages with texts`);
  return [];
}
