import type { Subject } from '../core/grade.ts';
import { effectsOf, toolCalls, type Effect, type Transcript } from '../core/transcript.ts';

/** Throws when no tool call was reported, because a silent target does not prove that the agent did nothing. */
export function assertReported({ transcript, target, tellsToolCalls }: Subject, things: string): void {
  if (tellsToolCalls === true || toolCalls(transcript).length > 0) return;
  throw new Error(
    `cannot decide what the agent did not do: the target ${target} may not report ${things}, and the transcript has no tool calls; use a target that always reports them, such as \`model\`, or \`cli\` with \`stream: jsonl\``,
  );
}

type Skill = Extract<Effect, { skillUse: string }>;

/** The texts of commands that were run, including failed ones. */
export function commandsOf(transcript: Transcript): readonly string[] {
  return toolCalls(transcript).flatMap(({ call }) =>
    (call.effects ?? []).flatMap((effect) => ('command' in effect ? [effect.command] : [])),
  );
}

/** Paths that were read; a failed call read nothing. */
export function fileReadsOf(transcript: Transcript): readonly string[] {
  return effectsOf(transcript).flatMap((effect) => ('fileRead' in effect ? [effect.fileRead] : []));
}

/** Skills that were used, each with its strongest signal; a failed call used none. */
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

/** Higher is more certain. */
export function rankOf(confidence: Skill['confidence']): number {
  return CONFIDENCES.indexOf(confidence);
}
