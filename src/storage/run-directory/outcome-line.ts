import type { GradeWeight, RowOutcome } from '../../core/row-outcome.ts';
import type { Row } from '../../core/run.ts';
import { eachItem, eachMember } from './json-members.ts';

/**
 * What comparing runs needs, of a line of results.jsonl, without making anything of the rest of it; undefined where the line is not as
 * assay writes it.
 */
export function outcomeOfLine(line: string): RowOutcome | undefined {
  const found: Partial<Found> = { graders: [] };
  try {
    eachMember(line, 0, (key, start, end) => takeMember(found, key, { line, start, end }));
  } catch {
    return undefined;
  }
  return isWhole(found) ? found : undefined;
}

type Found = { -readonly [Key in keyof RowOutcome]: RowOutcome[Key] };

function isWhole(found: Partial<Found>): found is RowOutcome {
  return found.suite !== undefined && found.threshold !== undefined && found.caseDigest !== undefined;
}

/** A value in a line. */
interface Place {
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

function takeMember(found: Partial<Found>, key: string, { line, start, end }: Place): void {
  switch (key) {
    case 'suite':
    case 'caseId':
    case 'target':
      found[key] = textIn(line, start, end);
      break;
    case 'verdict':
      found.verdict = line.slice(start + 1, end - 1) as Row['verdict'];
      break;
    case 'score':
      found.score = numberIn(line, start, end);
      break;
    case 'threshold':
      found.threshold = Number(line.slice(start, end));
      break;
    case 'latency':
      found.latency = JSON.parse(line.slice(start, end)) as number[];
      break;
    case 'grades':
      found.graders = gradersIn(line, start);
      break;
    case 'usage':
      found.tokens = agentTokens(line, start);
      break;
    case 'costUsd':
      eachMember(line, start, (spender, from, to) => {
        if (spender === 'agent') found.costUsd = numberIn(line, from, to);
      });
      break;
    case 'digests':
      takeDigests(line, start, found);
  }
}

function takeDigests(line: string, at: number, found: Partial<Found>): void {
  eachMember(line, at, (key, start, end) => {
    const number = Number(line.slice(start, end));
    if (key === 'case') found.caseDigest = number;
    if (key === 'mocks') found.mocksDigest = number;
    if (key === 'terms') found.termsDigest = number;
  });
}

function agentTokens(line: string, at: number): number | undefined {
  let tokens: number | undefined;
  eachMember(line, at, (spender, place) => {
    if (spender !== 'agent') return;
    eachMember(line, place, (key, start, end) => {
      if (key === 'totalTokens') tokens = Number(line.slice(start, end));
    });
  });
  return tokens;
}

function gradersIn(line: string, at: number): readonly GradeWeight[] {
  const graders: GradeWeight[] = [];
  eachItem(line, at, (place) => {
    const grader: { digest?: number; weight: number; required?: number } = { weight: Number.NaN };
    graders.push(grader);
    return eachMember(line, place, (key, start, end) => {
      if (key === 'digest' || key === 'weight' || key === 'required') {
        grader[key] = Number(line.slice(start, end));
      }
    });
  });
  return graders;
}

/** A copy: a part of a line keeps the whole line in memory. */
function textIn(line: string, start: number, end: number): string {
  const text = line.slice(start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(line.slice(start, end)) as string) : ` ${text}`.slice(1);
}

function numberIn(line: string, start: number, end: number): number | null {
  const word = line.slice(start, end);
  return word === 'null' ? null : Number(word);
}
