import { claudeCode } from '../../src/targets/claude-code/config.ts';
import { toolEffects } from '../../src/targets/coding-agent/tool-effects.ts';
import { turnReader } from '../../src/targets/coding-agent/turn-reader.ts';
import { lineSplitter, type Line } from '../../src/lib/process/lines.ts';

/** The parser for streams of Claude Code, to be timed. */
export function openParser() {
  const effectsOf = toolEffects(claudeCode.tools, { workspace: '/w', home: '/h' });
  const reader = turnReader(claudeCode.parser({ effectsOf, earlier: {} }));
  const lines = lineSplitter();
  let entries = 0;
  const take = (found: readonly Line[]): void => {
    for (const { text } of found) entries += reader.line(text).length;
  };
  return {
    push: (chunk: Buffer): void => take(lines.push(chunk)),
    end(): number {
      take(lines.end());
      if (reader.state().terminal?.ok !== true) throw new Error('the stream did not end well');
      return entries;
    },
  };
}
