import type { Subject } from '../core/grade.ts';
import { effectsOf, toolCalls, type Effect, type Transcript } from '../core/transcript.ts';

/** Throws where nothing at all was reported: that a target is silent is no sign that its agent did not do it. */
export function assertReported({ transcript, target, tellsToolCalls }: Subject, things: string): void {
  if (tellsToolCalls === true || toolCalls(transcript).length > 0) return;
  throw new Error(
    `the target ${target} does not report ${things}: there is no tool call in the transcript, so what the agent did not do cannot be decided; use a target that always reports them, such as model, or cli with stream: jsonl`,
  );
}

type Skill = Extract<Effect, { skillUse: string }>;

/** Texts of the commands that were run, also of those that failed. */
export function commandsOf(transcript: Transcript): readonly string[] {
  return toolCalls(transcript).flatMap(({ call }) =>
    (call.effects ?? []).flatMap((effect) => ('command' in effect ? [effect.command] : [])),
  );
}

/** Paths that were read; a call that failed read nothing. */
export function fileReadsOf(transcript: Transcript): readonly string[] {
  return effectsOf(transcript).flatMap((effect) => ('fileRead' in effect ? [effect.fileRead] : []));
}

/** Skills that were used, each with the best sign of it; a call that failed used none. */
export function skillUsesOf(transcript: Transcript): readonly Skill[] {
  const best = new Map<string, Skill>();
  for (const effect of effectsOf(transcript)) {
    if (!('skillUse' in effect)) continue;
    const known = best.get(effect.skillUse);
    if (known === undefined || rankOf(effect.confidence) > rankOf(known.confidence))
      best.set(effect.skillUse, effect);
  }
  return [...best.values()];
}

export const CONFIDENCES = [
  'weak',
  'medium',
  'strong',
  'explicit',
] as const satisfies readonly Skill['confidence'][];

/** Higher is surer. */
export function rankOf(confidence: Skill['confidence']): number {
  return CONFIDENCES.indexOf(confidence);
}
