import type { JudgeSettings, LentJudge } from '../../core/judge.ts';
import { given } from '../../lib/given.ts';
import type { UsedTarget } from './target-pool.ts';

/** The model of a target for direct calls, with overridden settings. Undefined if the target has no such model. */
export function lentModel(
  { plugin, settings }: UsedTarget,
  { temperature, maxOutputTokens, maxInputChars, timeoutMs, samples }: Omit<LentJudge, 'target'> = {},
): JudgeSettings | undefined {
  const model = plugin.asModel?.(settings.config, settings);
  return model && { ...model, ...given({ temperature, maxOutputTokens, maxInputChars, timeoutMs, samples }) };
}
