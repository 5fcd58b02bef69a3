import type { ReactNode } from 'react';

import type {
  Effect,
  MessageEntry,
  ToolCallEntry,
  ToolResultEntry,
  UsageEntry,
} from '../../../../src/core/transcript.ts';
import { textOf } from '../../../../src/core/message.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';
import { durationText } from '../../../../src/reading/phrases.ts';
import { jsonText } from '../../parts/json.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { safeText } from '../../parts/safe-text.ts';
import type { ShownEntry } from './turns.ts';

/** Values up to this length stand open. */
const OPEN_UP_TO = 400;
const ON_ONE_LINE = 110;

export function EntryItem({ shown: { entry, result } }: { readonly shown: ShownEntry }) {
  switch (entry.type) {
    case 'message':
      return <MessageItem message={entry} />;
    case 'tool-call':
      return <CallItem call={entry} result={result} />;
    case 'tool-result':
      return (
        <div className="entry tool">
          <ResultItem result={entry} />
        </div>
      );
    case 'usage':
      return <UsageItem usage={entry} />;
    default:
      return entry satisfies never;
  }
}

function MessageItem({ message }: { readonly message: MessageEntry }) {
  const { role, phase = 'final', parentCallId, parts } = message;
  const look = phase === 'final' ? role : 'thinking';
  const who = parentCallId === undefined ? role : 'sub-agent';
  return (
    <div className={`entry ${look}`}>
      <p className="role">{phase === 'final' ? who : `${who}, ${phase}`}</p>
      <LongText text={textOf(parts)} />
    </div>
  );
}

interface CallProps {
  readonly call: ToolCallEntry;
  readonly result: ToolResultEntry | undefined;
}

function CallItem({ call, result }: CallProps) {
  const { effects = [] } = call;
  return (
    <div className="entry tool">
      <Folded title={<strong>{safeText(call.name)}</strong>} value={call.input} />
      {effects.length === 0 ? null : (
        <p className="quiet">{effects.map((effect) => safeText(effectText(effect))).join(' · ')}</p>
      )}
      {result === undefined ? <p className="quiet">no result</p> : <ResultItem result={result} />}
    </div>
  );
}

function ResultItem({ result }: { readonly result: ToolResultEntry }) {
  const { failed, fault, durationMs, output } = result;
  const title = [
    failed === true ? '→ failed' : '→ result',
    ...(fault === undefined ? [] : [`planned fault: ${safeText(fault)}`]),
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
  ].join(', ');
  return <Folded title={title} value={output} isBad={failed === true} />;
}

interface FoldedProps {
  readonly title: ReactNode;
  readonly value: JsonValue;
  readonly isBad?: boolean;
}

/** A short value stands on the line of its title, a longer one behind it, open while it is not long. */
function Folded({ title, value, isBad = false }: FoldedProps) {
  const line = typeof value === 'string' ? value : JSON.stringify(value);
  const name = <span className={isBad ? 'bad' : undefined}>{title}</span>;
  if (line.length <= ON_ONE_LINE && !line.includes('\n')) {
    return (
      <p className="call">
        {name} <code>{safeText(line)}</code>
      </p>
    );
  }
  const text = jsonText(value);
  return (
    <details open={text.length <= OPEN_UP_TO}>
      <summary>
        {name}
        {text.length > OPEN_UP_TO ? <small> {text.length.toLocaleString('en')} characters</small> : null}
      </summary>
      <LongText isCode text={text} />
    </details>
  );
}

function UsageItem({ usage }: { readonly usage: UsageEntry }) {
  const { model, totalTokens, costUsd, auxiliary } = usage;
  const tokens = totalTokens === undefined ? 'tokens unknown' : `${totalTokens.toLocaleString('en')} tokens`;
  const cost = costUsd === undefined ? '' : ` · $${costUsd}`;
  return (
    <p className="quiet usage">
      {auxiliary === true ? 'auxiliary use of ' : ''}
      {safeText(model ?? 'model')} · {tokens}
      {cost}
    </p>
  );
}

function effectText(effect: Effect): string {
  if ('command' in effect) return `runs ${effect.command}`;
  if ('fileRead' in effect) return `reads ${effect.fileRead}`;
  if ('fileWrite' in effect) return `writes ${effect.fileWrite}`;
  return `uses skill ${effect.skillUse} (${effect.confidence})`;
}
