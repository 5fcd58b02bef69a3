import type { Yielded } from '../../core/target.ts';
import type { Effect } from '../../core/transcript.ts';
import { given } from '../../lib/given.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { ParserContext, ToolTable } from '../coding-agent/adapter.ts';
import { toolCall, toolResult } from '../coding-agent/entries.ts';
import { asObject, listAt, objectAt, textAt } from '../coding-agent/fields.ts';

/** A call and its updates; the last value that is not empty counts. */
export interface AcpCall {
  readonly callId: string;
  /** The name of the tool, with some agents. */
  readonly firstTitle: string;
  readonly fields: JsonObject;
  readonly toolName?: string;
  readonly parentCallId?: string;
  /** Output that arrives in pieces. */
  readonly streamed: string;
  readonly exitCode?: number;
}

/** The common names and arguments for all agents, from which effects are derived. */
export const ACP_TOOLS: ToolTable = {
  shell: { execute: 'command' },
  read: { read: 'path' },
  write: { edit: 'path' },
  skill: { skill: 'name' },
};

export function updatedCall(before: AcpCall | undefined, update: JsonObject): AcpCall {
  const { _meta, sessionUpdate, content, ...rest } = update;
  // The first content of a call is not its output.
  const isBegun = sessionUpdate === 'tool_call' && update['status'] !== 'completed';
  const fields = isBegun || content === undefined ? rest : { ...rest, content };
  const meta = asObject(_meta);
  const told = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  const toolName = textInMeta(meta, 'toolName');
  const parentCallId = textInMeta(meta, 'parentToolUseId');
  const exitCode = objectAt(meta, 'terminal_exit')['exit_code'];
  return {
    ...(before ?? { callId: textAt(update, 'toolCallId') ?? '', firstTitle: textAt(update, 'title') ?? '' }),
    fields: { ...before?.fields, ...Object.fromEntries(told) },
    streamed: (before?.streamed ?? '') + (textAt(objectAt(meta, 'terminal_output_delta'), 'data') ?? ''),
    ...given({ toolName, parentCallId }),
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
  };
}

export function isOver({ fields }: AcpCall): boolean {
  return fields['status'] === 'completed' || fields['status'] === 'failed';
}

export function callEntry(call: AcpCall, context: ParserContext): Yielded {
  const { callId, fields, toolName, parentCallId } = call;
  const effects = effectsOf(call, context);
  const name = textAt(fields, 'name') ?? toolName ?? textAt(fields, 'kind') ?? 'other';
  return toolCall({ callId, name, input: inputOf(call), effects }, given({ parentCallId }));
}

export function resultEntry(call: AcpCall): Yielded {
  const { callId, fields } = call;
  const hasFailed = fields['status'] === 'failed' || exitCodeOf(call) !== 0;
  return toolResult({ callId, output: outputOf(call), hasFailed });
}

/** If an agent sends no arguments, its title and locations show some of them. */
function inputOf({ fields }: AcpCall): JsonValue {
  if (fields['rawInput'] !== undefined) return fields['rawInput'];
  const title = textAt(fields, 'title');
  if (fields['kind'] === 'execute') return title === undefined ? {} : { command: title };
  const [path] = pathsOf(fields);
  return path === undefined ? {} : { path };
}

function effectsOf({ fields, toolName, firstTitle }: AcpCall, context: ParserContext): readonly Effect[] {
  const raw = objectAt(fields, 'rawInput');
  const directory = textAt(raw, 'cwd') ?? '';
  const tell = (tool: string, said: JsonObject) => context.effectsOf({ name: tool, input: said, directory });
  const { kind } = fields;
  const isFiles = kind === 'read' || kind === 'edit';
  const command = textAt(raw, 'command') ?? (kind === 'execute' ? textAt(fields, 'title') : undefined);
  // An editor may call its operation a command, with the file as a separate argument.
  if (command !== undefined && !(isFiles && pathIn(raw) !== undefined)) return tell('execute', { command });
  const name = textAt(fields, 'name') ?? toolName ?? firstTitle;
  if (/^(activate_)?skill$/i.test(name)) {
    return tell('skill', { name: textAt(raw, 'skill') ?? textAt(raw, 'name') ?? '' });
  }
  if (!isFiles) return [];
  return pathsOf(fields).flatMap((path) => tell(kind, { path }));
}

function pathsOf(fields: JsonObject): readonly string[] {
  const places = listAt(fields, 'locations').flatMap((place) => textAt(place, 'path') ?? []);
  if (places.length > 0) return places;
  const path = pathIn(objectAt(fields, 'rawInput'));
  return path === undefined ? [] : [path];
}

function pathIn(raw: JsonObject): string | undefined {
  return textAt(raw, 'path') ?? textAt(raw, 'file_path') ?? textAt(raw, 'filePath');
}

function outputOf({ fields, streamed }: AcpCall): JsonValue {
  const raw = fields['rawOutput'];
  if (typeof raw === 'string') return raw;
  const said = textAt(raw, 'output') ?? textAt(raw, 'text');
  if (said !== undefined) return said;
  if (streamed !== '') return streamed;
  const texts = listAt(fields, 'content').flatMap((part) => textAt(objectAt(part, 'content'), 'text') ?? []);
  return texts.length > 0 ? texts.join('\n') : (raw ?? '');
}

function exitCodeOf({ fields, exitCode = 0 }: AcpCall): number {
  const raw = objectAt(fields, 'rawOutput');
  const told = raw['exitCode'] ?? raw['exit_code'] ?? objectAt(raw, 'metadata')['exit'];
  return typeof told === 'number' ? told : exitCode;
}

/** Agents put it at the top, or under their own name. */
function textInMeta(meta: JsonObject, key: string): string | undefined {
  return [meta, ...Object.values(meta)].map((part) => textAt(part, key)).find((text) => text !== undefined);
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
