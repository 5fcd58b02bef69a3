import type { Yielded } from '../../core/target.ts';
import { textOf } from '../../core/message.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentParser, AgentTurn, ParserContext, Reading, Terminal } from '../coding-agent/adapter.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';
import { acpClient, type AcpClient, type Heard } from './client.ts';
import type { AcpConfig } from './acp-config.ts';
import { hiddenFailure } from './failure.ts';
import { nothingTold, releaseCalls, releaseText, tellUpdate, type Told } from './told.ts';
import { acpUsage } from './usage.ts';

/** Speaks the Agent Client Protocol: opens a session, sends the prompt, and reads updates until the answer. */
export function acpParser(context: ParserContext<AcpConfig>): AgentParser {
  return parserOf(acpClient(context.turn ?? NO_TURN), context);
}

function parserOf(client: AcpClient, context: ParserContext): AgentParser {
  const told = nothingTold({ effectsOf: context.effectsOf, earlier: context.earlier });
  return {
    opening: client.opening,
    line: (message) => readingOf(client.hear(message), client, told),
    end: () => ({ entries: [...releaseText(told), ...told.suspects.splice(0), ...releaseCalls(told)] }),
    next: (later) => parserOf(client.next(later.turn?.prompt ?? ''), later),
    cancel: () => client.cancel(),
  };
}

/** When only output is parsed, requests are answered too. */
const NO_TURN: AgentTurn<AcpConfig> = {
  config: {},
  prompt: '',
  permissions: 'full',
  sessionId: '',
  directory: '',
  scratch: '',
  isRoot: false,
};

function readingOf(heard: Heard, client: AcpClient, told: Told): Reading {
  const { notification, answer, failure, ...reading } = heard;
  if (notification !== undefined) return { ...reading, ...notified(notification, client, told) };
  if (failure !== undefined) {
    const entries = [...releaseText(told), ...releaseCalls(told)];
    told.suspects = [];
    return { ...reading, entries, terminal: { ok: false, failure } };
  }
  return answer === undefined ? reading : { ...reading, ...ended(answer, client, told) };
}

function notified(message: JsonObject, client: AcpClient, told: Told): Reading {
  const method = textAt(message, 'method') ?? '';
  if (method !== 'session/update') return method.startsWith('_') ? {} : { unknown: method };
  const update = objectAt(objectAt(message, 'params'), 'update');
  const entries = tellUpdate(update, told, client.agentName());
  return entries === undefined
    ? { unknown: `session/update ${textAt(update, 'sessionUpdate') ?? ''}` }
    : { entries };
}

/** The answer to the prompt ends the turn. */
function ended(answer: JsonObject, client: AcpClient, told: Told): Reading {
  const usage = acpUsage(objectAt(answer, 'usage')) ?? told.usage;
  const isSilent = usage === undefined && told.toldCalls.size === 0 && told.calls.size === 0;
  const before = [...releaseText(told), ...releaseCalls(told)];
  const terminal = terminalOf(answer, told, isSilent ? told.suspects.at(-1) : undefined);
  const suspects = told.suspects.splice(0);
  const entries = [...before, ...(terminal.ok ? suspects : [])];
  // opencode reports only its last step.
  const isWhole = usage !== undefined && client.agentName() !== 'OpenCode';
  return { entries: isWhole ? [...entries, { type: 'usage', ...usage }] : entries, terminal };
}

function terminalOf(answer: JsonObject, told: Told, suspect: Yielded | undefined): Terminal {
  if (told.hasSystemError) {
    const message = told.notices.at(-1) ?? 'the agent is in the state systemError';
    return { ok: false, failure: hiddenFailure(message) };
  }
  if (suspect?.type === 'message') return { ok: false, failure: hiddenFailure(textOf(suspect.parts)) };
  const reason = textAt(answer, 'stopReason') ?? 'no reason';
  if (reason === 'end_turn' || reason === 'refusal') return { ok: true };
  return {
    ok: false,
    failure: { kind: 'runner-crash', message: `the agent ended its turn early: ${reason}` },
  };
}
