/** The agent of a session, as code suites name it. */
export interface RunnerInfo {
  /** Name of the target. */
  id: string;
  /** `id` as a name of files: a slug, and the first 8 hex digits of its sha-256. */
  pathKey: string;
  /** `model` is empty where the target names none. */
  agent: { type: string; model: string };
}

/** Tokens as code suites read them; a part that nobody reported is absent. */
export interface UsageReport {
  /** All input, cached too. */
  inputTokens?: number;
  /** Without reasoning, where it was told apart. */
  outputTokens?: number;
  reasoningTokens?: number;
  /** Read from the cache. */
  cacheTokens?: number;
  cacheWriteTokens?: number;
  /** Input that did not come from the cache, and all output. */
  totalTokens?: number;
  inputChars: number;
  outputChars: number;
  reasoningChars: number;
  source: { input: UsageSource; output: UsageSource; reasoning: UsageSource };
}

/** Numbers of tokens that a baseline can be of. */
export const TOKEN_METRICS = [
  'totalTokens',
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cacheTokens',
] as const;

export type TokenMetric = (typeof TOKEN_METRICS)[number];

/** Where a number of tokens is from; `chars`: nobody reported it, and only characters are known. */
export type UsageSource = 'provider' | 'derived' | 'chars';

/** Surest first. */
export const CONFIDENCES = ['explicit', 'strong', 'medium', 'weak'] as const;

/** How sure it is that a skill was used. */
export type Confidence = (typeof CONFIDENCES)[number];

/** A skill that was used: the best sign of it, and all signs in order. */
export interface SkillDetection {
  skill: string;
  confidence: Confidence;
  evidence: string[];
}

/** One thing that happened in a session. Of one call: toolCall, skillSignal, command, fileRead, and later toolResult. */
export type SessionEvent = { at?: string } & (
  | {
      type: 'message';
      role: 'user' | 'assistant';
      phase?: 'thinking' | 'commentary' | 'final';
      text: string;
    }
  | { type: 'toolCall'; tool: string; args?: unknown }
  | { type: 'toolResult'; tool?: string; output: string }
  | { type: 'command'; command: string }
  | { type: 'fileRead'; path: string }
  | { type: 'skillSignal'; skill: string; signal: string }
);

/** Files that hold what a program wrote; absolute. */
export interface RawArtifacts {
  stdoutPath?: string;
  stderrPath?: string;
  sessionPath?: string;
  exportPath?: string;
  telemetryPath?: string;
}

/** The view of a transcript that code assertions read. */
export interface SessionReport {
  runner: RunnerInfo;
  sessionId?: string;
  prompt: string;
  usage: UsageReport;
  /** Absolute paths, each once, by first read. */
  files: { observedReads: string[]; observedSkillReads: string[] };
  detectedSkills: SkillDetection[];
  /** The first is the prompt. */
  events: SessionEvent[];
  finalOutput: string;
  startedAt?: string;
  endedAt?: string;
  /** To the end of the agent's last turn. */
  durationMs?: number;
  rawArtifacts: RawArtifacts;
  /** Where the agent worked; absolute. */
  workspace?: { directory: string };
}
