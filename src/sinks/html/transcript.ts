import type { JsonValue } from '../../lib/json.ts';
import { textOf } from '../../core/message.ts';
import {
  toolCalls,
  type MessageEntry,
  type ToolCallEntry,
  type ToolResultEntry,
  type Transcript,
  type TranscriptEntry,
} from '../../core/transcript.ts';
import { durationText } from '../../reading/phrases.ts';
import { cutText, markup, nothing, type Markup } from './markup.ts';

const MAX_TEXT = 20_000;
const MAX_TRIAL = 100_000;

/** The messages and tool calls, each call with its result. Bounded: says how many entries were left out. */
export function transcriptSection(transcript: Transcript): Markup {
  const results = new Map<TranscriptEntry, ToolResultEntry>();
  const told = new Set<TranscriptEntry>();
  for (const { call, result: own } of toolCalls(transcript)) {
    if (own === undefined) continue;
    results.set(call, own);
    told.add(own);
  }
  const isLong = (transcript.at(-1)?.turn ?? 0) > 2;
  const items: Markup[] = [];
  let length = 0;
  let left = 0;
  for (const entry of transcript) {
    if (told.has(entry)) continue;
    if (length > MAX_TRIAL) left += 1;
    const item = length > MAX_TRIAL ? nothing : entryItem(entry, { results, isLong });
    length += item.html.length;
    if (item !== nothing) items.push(markup`<li>${item}</li>\n`);
  }
  const more = left === 0 ? nothing : markup`<p class="note">${left} more entries are in events.jsonl.</p>`;
  return markup`<h3>Transcript</h3>\n<ol class="transcript">\n${items}</ol>\n${more}`;
}

interface Shown {
  readonly results: ReadonlyMap<TranscriptEntry, ToolResultEntry>;
  /** The conversation has several turns, so they are numbered. */
  readonly isLong: boolean;
}

function entryItem(entry: TranscriptEntry, { results, isLong }: Shown): Markup {
  switch (entry.type) {
    case 'message':
      return message(entry, isLong ? `, turn ${entry.turn}` : '');
    case 'tool-call':
      return toolCall(entry, results.get(entry));
    case 'tool-result':
      return markup`<details class="aside"><summary>Result without a call</summary>${result(entry)}</details>`;
    case 'usage':
      return nothing;
    default:
      return entry satisfies never;
  }
}

const speakers = { system: 'System', user: 'User', assistant: 'Agent' } as const;

function message(entry: MessageEntry, place: string): Markup {
  const text = cutText(textOf(entry.parts), MAX_TEXT);
  const phase = entry.phase ?? 'final';
  if (entry.role === 'assistant' && phase === 'thinking') {
    return markup`<details class="aside"><summary>Thinking</summary><p class="text">${text}</p></details>`;
  }
  const who = speakers[entry.role] + (phase === 'commentary' ? ', on the way' : '') + place;
  const by = { system: 'by-system', user: 'by-user', assistant: 'by-assistant' }[entry.role];
  return markup`<div class="said ${by}"><span class="who">${who}</span><p class="text">${text}</p></div>`;
}

function toolCall(call: ToolCallEntry, answer: ToolResultEntry | undefined): Markup {
  const effects = (call.effects ?? []).map((effect) => {
    const [[name, value] = ['', '']] = Object.entries(effect);
    return markup`<p class="note">${effectWords[name] ?? name}: <code>${cutText(value, 500)}</code></p>`;
  });
  const ending = answer === undefined ? markup`<p class="note">No result.</p>` : markup`${result(answer)}`;
  const state = answer?.failed === true ? markup` <span class="is-failed">failed</span>` : nothing;
  const parent =
    call.parentCallId === undefined ? nothing : markup` <span class="soft">by a sub-agent</span>`;
  return markup`<details class="aside"><summary>Tool call <code>${cutText(call.name, 200)}</code>${parent}${state}</summary>
<pre>${json(call.input)}</pre>${effects}${ending}</details>`;
}

const effectWords: Readonly<Record<string, string>> = {
  command: 'Ran',
  fileRead: 'Read',
  fileWrite: 'Wrote',
  skillUse: 'Used the skill',
};

function result(entry: ToolResultEntry): Markup {
  const facts = [
    entry.failed === true ? 'Failed' : 'Result',
    ...(entry.fault === undefined ? [] : [`planned fault: ${entry.fault}`]),
    ...(entry.durationMs === undefined ? [] : [durationText(entry.durationMs)]),
  ];
  return markup`<p class="note">${facts.join(', ')}</p><pre>${json(entry.output)}</pre>`;
}

function json(value: JsonValue): Markup {
  return cutText(typeof value === 'string' ? value : JSON.stringify(value, null, 2), MAX_TEXT);
}
