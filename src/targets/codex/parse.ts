import { given } from '../../lib/given.ts';
import type { AgentExit, AgentParser, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';
import { failedTurn } from '../coding-agent/said-failure.ts';
import { failureOf } from './failure.ts';
import { itemReading } from './items.ts';
import { stepsIn } from './rollout.ts';
import { usageEntries } from './usage.ts';

/**
 * Parses `codex exec --json`: threads, turns and items. An item is reported when it starts, or only when it completes.
 */
export function codexParser(context: ParserContext): AgentParser {
  let lastError: string | undefined;
  return {
    line(event) {
      const type = textAt(event, 'type') ?? 'without a type';
      switch (type) {
        case 'thread.started':
          return given({ sessionId: textAt(event, 'thread_id') });
        case 'item.started':
        case 'item.completed':
          return itemReading(objectAt(event, 'item'), type, context);
        case 'error':
          // Also printed for every reconnect; only the end shows whether it was an error.
          lastError = textAt(event, 'message');
          return {};
        case 'turn.completed':
          return { entries: usageEntries(event, context), terminal: { ok: true } };
        case 'turn.failed': {
          const message = textAt(objectAt(event, 'error'), 'message') ?? lastError ?? 'its turn failed';
          return failedTurn(failureOf(message));
        }
        case 'turn.started':
        case 'item.updated':
          return {};
        default:
          return { unknown: type };
      }
    },
    end: (exit) => ({ ...stepsOf(exit), ...endedByError(exit, lastError) }),
  };
}

function stepsOf({ files }: AgentExit): Reading {
  const steps = stepsIn(files['session.jsonl'] ?? '');
  return steps === 0 ? {} : { steps };
}

function endedByError({ exitCode, stderr }: AgentExit, lastError: string | undefined): Reading {
  if (exitCode === null || exitCode === 0) return {};
  const message = lastError ?? MISSING_KEY.exec(stderr)?.[0];
  return failedTurn(message === undefined ? undefined : failureOf(message));
}

const MISSING_KEY = /Missing environment variable: .*/;
