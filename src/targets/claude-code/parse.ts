import type { AgentParser, ParserContext } from '../coding-agent/adapter.ts';
import { textAt } from '../coding-agent/fields.ts';
import { dialectParser, type Dialect } from '../coding-agent/claude-dialect.ts';
import { notLoggedIn, readResult } from './result.ts';

/** Parses `--output-format stream-json`: one content block per line; lines of one message have the same id. */
export function claudeParser(context: ParserContext): AgentParser {
  return dialectParser(DIALECT, context);
}

const DIALECT: Dialect = {
  skillTool: 'Skill',
  messagesAreSteps: true,
  ignores: (kind) => /^system\/(task_\w+|thinking_tokens)$/.test(kind),
  // The model name in error notices of the program itself.
  isNotice: (message) => textAt(message, 'model') === '<synthetic>',
  usageOfMessage: () => [],
  result: readResult,
  end: ({ stderr }) => notLoggedIn(stderr),
};
