import type { UserMessage } from './message.ts';
import type { Transcript } from './transcript.ts';
import type { Usage } from './usage.ts';

/** What the user does next. A message together with `done` is still answered. */
export interface UserTurn {
  readonly message?: UserMessage;
  readonly done?: { readonly reason?: string };
  readonly note?: string;
  readonly flags?: readonly string[];
  /** What saying this took; `costUsd`: USD, null when it is unknown. */
  readonly usage?: Usage;
  readonly model?: string;
  readonly costUsd?: number | null;
}

/** The other side of a conversation. */
export interface User {
  readonly speaksFirst: boolean;
  next(transcript: Transcript, signal: AbortSignal): Promise<UserTurn>;
}
