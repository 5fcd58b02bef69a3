/** The agent of a session, as code suites see it. */
export interface RunnerInfo {
  /** Name of the target. */
  id: string;
  /** `id` as a file name: a slug and the first 8 hex digits of its sha-256. */
  pathKey: string;
  /** `model` is empty when the target has no model name. */
  agent: { type: string; model: string };
}

/** Tokens as code suites read them; parts that were not reported are absent. */
export interface UsageReport {
  /** All input, including cached tokens. */
  inputTokens?: number;
  /** Without reasoning tokens, if these were reported. */
  outputTokens?: number;
  reasoningTokens?: number;
  /** Tokens read from the cache. */
  cacheTokens?: number;
  cacheWriteTokens?: number;
  /** Input that did not come from the cache, plus all output. */
  totalTokens?: number;
  inputChars: number;
  outputChars: number;
  reasoningChars: number;
  source: { input: UsageSource; output: UsageSource; reasoning: UsageSource };
}

/** The token counts that a baseline can have. */
export const TOKEN_METRICS = [
  'totalTokens',
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cacheTokens',
] as const;

export type TokenMetric = (typeof TOKEN_METRICS)[number];

/** Where a token count comes from. `chars`: it was not reported, and only characters are known. */
export type UsageSource = 'provider' | 'derived' | 'chars';

/** Most reliable first. */
export const CONFIDENCES = ['explicit', 'strong', 'medium', 'weak'] as const;

/** How certain it is that a skill was used. */
export type Confidence = (typeof CONFIDENCES)[number];

/** A skill that was used: its strongest signal, and all signals in order. */
export interface SkillDetection {
  skill: string;
  confidence: Confidence;
  evidence: string[];
}

/** One event of a session. The order for one call: toolCall, skillSignal, command, fileRead, and later toolResult. */
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

/** Files with the output of a program; absolute paths. */
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
  /** Absolute paths without duplicates, in the order of first reads. */
  files: { observedReads: string[]; observedSkillReads: string[] };
  detectedSkills: SkillDetection[];
  /** The first message is the prompt. */
  events: SessionEvent[];
  finalOutput: string;
  startedAt?: string;
  endedAt?: string;
  /** Until the end of the agent's last turn. */
  durationMs?: number;
  rawArtifacts: RawArtifacts;
  /** Where the agent worked; absolute. */
  workspace?: { directory: string };
}
