import { given } from '../lib/given.ts';
import { textOf } from './message.ts';
import { CONFIDENCES, type RunnerInfo, type SessionEvent } from './session-report.ts';
import type { RawArtifacts, SessionReport, SkillDetection, UsageReport } from './session-report.ts';
import {
  finalAnswer,
  effectsOf,
  toolCalls,
  type Effect,
  type Transcript,
  type TranscriptEntry,
} from './transcript.ts';
import type { Usage } from './usage.ts';

/** What a report contains besides the transcript. */
export interface ReportedSession {
  readonly runner: RunnerInfo;
  readonly prompt: string;
  /** Token usage of the agent's main loop. */
  readonly usage?: Usage | undefined;
  readonly sessionId?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly rawArtifacts?: RawArtifacts | undefined;
  readonly workspace?: { readonly directory: string } | undefined;
}

/** Builds the report of a session from its transcript, in the same way for every agent. */
export function reportOf(transcript: Transcript, session: ReportedSession): SessionReport {
  const { sessionId, durationMs, workspace } = session;
  const startedAt = transcript[0]?.at;
  const endedAt = transcript.at(-1)?.at;
  const events = eventsOf(transcript, session.prompt);
  const effects = effectsOf(transcript);
  const reads = new Set(effects.flatMap((effect) => ('fileRead' in effect ? [effect.fileRead] : [])));
  const skills = skillsIn(effects);
  const evidence = new Set(skills.flatMap((skill) => skill.evidence));
  return {
    runner: session.runner,
    ...given({ sessionId }),
    prompt: session.prompt,
    usage: usageReport(session, events, transcript.some(derivesReasoning) ? 'derived' : 'provider'),
    files: {
      observedReads: [...reads],
      observedSkillReads: [...reads].filter((path) => evidence.has(`Read ${path}`)),
    },
    detectedSkills: skills,
    events,
    finalOutput: finalAnswer(transcript) || lastText(events),
    ...given({ startedAt, endedAt, durationMs }),
    rawArtifacts: { ...session.rawArtifacts },
    ...(workspace === undefined ? {} : { workspace: { directory: workspace.directory } }),
  };
}

/** The empty report, for sessions that are unknown. */
export function emptyReport({ runner, prompt }: Pick<ReportedSession, 'runner' | 'prompt'>): SessionReport {
  return {
    runner,
    prompt,
    usage: {
      inputChars: 0,
      outputChars: 0,
      reasoningChars: 0,
      source: { input: 'chars', output: 'chars', reasoning: 'chars' },
    },
    files: { observedReads: [], observedSkillReads: [] },
    detectedSkills: [],
    events: [],
    finalOutput: '',
    rawArtifacts: {},
  };
}

function eventsOf(transcript: Transcript, prompt: string): SessionEvent[] {
  const called = toolCalls(transcript);
  const results = new Map(called.map(({ call, result }) => [call, result]));
  const calls = new Map(called.map(({ call, result }) => [result, call]));
  const last = transcript.findLast(isText);
  const events = transcript.flatMap((entry): SessionEvent[] => {
    switch (entry.type) {
      case 'message':
        return messageEvents(entry, entry === last);
      case 'tool-call':
        return callEvents(entry, results.get(entry)?.failed === true);
      case 'tool-result': {
        const tool = calls.get(entry)?.name;
        const output = typeof entry.output === 'string' ? entry.output : JSON.stringify(entry.output);
        return [{ at: entry.at, type: 'toolResult', ...given({ tool }), output }];
      }
      case 'usage':
        return [];
      default:
        return entry satisfies never;
    }
  });
  const first = events[0];
  if (first?.type === 'message' && first.role === 'user') return events;
  return [{ type: 'message', role: 'user', text: prompt }, ...events];
}

type MessageOf = Extract<TranscriptEntry, { type: 'message' }>;

function isText(entry: TranscriptEntry): entry is MessageOf {
  return (
    entry.type === 'message' &&
    entry.role === 'assistant' &&
    entry.phase !== 'thinking' &&
    entry.parentCallId === undefined
  );
}

function messageEvents({ at, role, phase, parts }: MessageOf, isLast: boolean): SessionEvent[] {
  const text = textOf(parts);
  if (role === 'system') return [];
  if (role === 'user') return [{ at, type: 'message', role, text }];
  const shown = phase === 'thinking' ? phase : isLast ? 'final' : 'commentary';
  return [{ at, type: 'message', role, phase: shown, text }];
}

type CallOf = Extract<TranscriptEntry, { type: 'tool-call' }>;

function callEvents({ at, name, input, effects = [] }: CallOf, hasFailed: boolean): SessionEvent[] {
  const of = (event: (effect: Effect) => SessionEvent | undefined): SessionEvent[] =>
    effects.flatMap((effect) => event(effect) ?? []);
  return [
    { at, type: 'toolCall', tool: name, ...(input === null ? {} : { args: input }) },
    ...of((effect) =>
      'skillUse' in effect && !hasFailed
        ? { at, type: 'skillSignal', skill: effect.skillUse, signal: effect.evidence }
        : undefined,
    ),
    ...of((effect) => ('command' in effect ? { at, type: 'command', command: effect.command } : undefined)),
    ...of((effect) =>
      'fileRead' in effect && !hasFailed ? { at, type: 'fileRead', path: effect.fileRead } : undefined,
    ),
  ];
}

function skillsIn(effects: readonly Effect[]): SkillDetection[] {
  const found = new Map<string, SkillDetection>();
  for (const effect of effects) {
    if (!('skillUse' in effect)) continue;
    const { skillUse: skill, confidence, evidence } = effect;
    const known = found.get(skill);
    if (known === undefined) {
      found.set(skill, { skill, confidence, evidence: [evidence] });
      continue;
    }
    if (CONFIDENCES.indexOf(confidence) < CONFIDENCES.indexOf(known.confidence))
      known.confidence = confidence;
    if (!known.evidence.includes(evidence)) known.evidence.push(evidence);
  }
  return [...found.values()];
}

function lastText(events: readonly SessionEvent[]): string {
  const last = events.findLast((event) => event.type === 'message' && event.phase === 'final');
  return last?.type === 'message' ? last.text : '';
}

function derivesReasoning(entry: TranscriptEntry): boolean {
  return entry.type === 'usage' && entry.derivesReasoning === true;
}

function usageReport(
  { usage, prompt }: ReportedSession,
  events: readonly SessionEvent[],
  reasoning: 'derived' | 'provider',
): UsageReport {
  const chars = (isThinking: (phase: string | undefined) => boolean): number =>
    events.reduce(
      (sum, event) =>
        event.type === 'message' && event.role === 'assistant' && isThinking(event.phase)
          ? sum + event.text.length
          : sum,
      0,
    );
  const known = usage === undefined ? 'chars' : 'provider';
  return {
    ...(usage === undefined ? {} : tokensOf(usage)),
    inputChars: prompt.length,
    outputChars: chars((phase) => phase !== 'thinking'),
    reasoningChars: chars((phase) => phase === 'thinking'),
    source: {
      input: known,
      output: known,
      reasoning: usage?.reasoningTokens === undefined ? 'chars' : reasoning,
    },
  };
}

/** As published: output without reasoning, and a total without cached tokens. */
function tokensOf(usage: Usage): Partial<UsageReport> {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return {
    inputTokens,
    outputTokens: outputTokens - (reasoningTokens ?? 0),
    ...given({ reasoningTokens, cacheTokens: cacheReadTokens, cacheWriteTokens }),
    totalTokens: inputTokens - (cacheReadTokens ?? 0) + outputTokens,
  };
}
