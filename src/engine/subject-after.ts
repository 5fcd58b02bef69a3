import type { Measures, Subject } from '../core/grade.ts';
import { finalAnswer, tokensOf, type Transcript } from '../core/transcript.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import { given } from '../lib/given.ts';
import { createStepCounter } from './steps.ts';

/** The session after the answer to message `line` of the user (from 1). Undefined if it ended earlier. */
export function subjectAfter(subject: Subject, line: number): Subject | undefined {
  if (subject.measures.turns < line) return undefined;
  const transcript = untilLine(subject.transcript, line + 1);
  if (transcript.length === subject.transcript.length) return subject;
  return {
    ...subject,
    transcript,
    answer: finalAnswer(transcript),
    measures: measuresOf(transcript, subject),
  };
}

/** The entries before a message of the user (from 1). */
function untilLine(transcript: Transcript, line: number): Transcript {
  let lines = 0;
  const end = transcript.findIndex((entry) => {
    if (entry.type === 'message' && entry.role === 'user') lines += 1;
    return lines === line;
  });
  return end < 0 ? transcript : transcript.slice(0, end);
}

function measuresOf(transcript: Transcript, { measures }: Subject): Measures {
  const countSteps = createStepCounter();
  let steps = 0;
  let turns = 0;
  let usage: Usage | undefined;
  let costUsd: number | null = 0;
  for (const entry of transcript) {
    steps = countSteps(entry);
    if (entry.type === 'message' && entry.role === 'user') turns += 1;
    if (entry.type !== 'usage') continue;
    const tokens = tokensOf(entry);
    if (tokens !== undefined && entry.auxiliary !== true) usage = addUsage(usage, tokens);
    costUsd = entry.costUsd === undefined || costUsd === null ? null : costUsd + entry.costUsd;
  }
  const latency = (measures.latency ?? []).slice(0, turns);
  const spent = measures.costUsd === null || usage === undefined ? null : costUsd;
  return {
    durationMs: latency.reduce((sum, ms) => sum + ms, 0),
    latency,
    turns,
    steps,
    costUsd: spent,
    ...given({ usage }),
  };
}
