import { CONFIDENCES, type SessionReport, type SkillDetection } from '../core/session-report.ts';
import { checkCall, demand } from './expectation.ts';
import { checkCount, checkList } from './matcher.ts';
import { listShown, type Observed } from './observed.ts';
import type { SkillAssertionOptions } from './options.ts';
import { givenShown } from './given.ts';

/** Assertions on the skills that were detected; names are exact. */
export interface SkillAssertions {
  has(report: SessionReport, skill: string, options?: SkillAssertionOptions): void;
  notHas(report: SessionReport, skill: string, options?: SkillAssertionOptions): void;
  /** Each of them was detected. */
  includes(report: SessionReport, skills: readonly string[], options?: SkillAssertionOptions): void;
  count(report: SessionReport, skill: string, count: number, options?: SkillAssertionOptions): void;
  exactlyOne(report: SessionReport, skill: string, options?: SkillAssertionOptions): void;
  /** None but these was detected; an empty list: none at all. */
  only(report: SessionReport, skills: readonly string[], options?: SkillAssertionOptions): void;
}

/** Which skills the agent used. */
export const skills: SkillAssertions = {
  has(report, skill, options) {
    decide(report, { names: [skill], options, method: skills.has, name: 'has' }, ({ found }) =>
      found.includes(skill) ? undefined : `Expected the skill ${JSON.stringify(skill)}.`,
    );
  },
  notHas(report, skill, options) {
    decide(report, { names: [skill], options, method: skills.notHas, name: 'notHas' }, ({ found }) =>
      found.includes(skill)
        ? `Expected no skill ${JSON.stringify(skill)}. Unexpected: ${JSON.stringify(skill)}`
        : undefined,
    );
  },
  includes(report, names, options) {
    checkList(names);
    if (names.length === 0) throw new TypeError('the list of skills is empty');
    decide(report, { names, options, method: skills.includes, name: 'includes' }, ({ found }) => {
      const missing = names.filter((name) => !found.includes(name));
      if (missing.length === 0) return undefined;
      return `Expected the skills ${quoted(names)}. Missing: ${quoted(missing)}`;
    });
  },
  count(report, skill, ...[count, options]) {
    checkCount(count);
    decide(report, { names: [skill], options, method: skills.count, name: 'count' }, ({ found }) =>
      counted(found, skill, count),
    );
  },
  exactlyOne(report, skill, options) {
    decide(report, { names: [skill], options, method: skills.exactlyOne, name: 'exactlyOne' }, ({ found }) =>
      counted(found, skill, 1),
    );
  },
  only(report, names, options) {
    checkList(names);
    decide(report, { names, options, method: skills.only, name: 'only' }, ({ detections }) => {
      const others = detections.filter(({ skill }) => !names.includes(skill));
      if (others.length === 0) return undefined;
      const wanted =
        names.length === 0 ? 'Expected no skills.' : `Expected only the skills ${quoted(names)}.`;
      return `${wanted} Unexpected: ${listShown(others.map(shown))}`;
    });
  },
};

interface Asked {
  readonly names: readonly unknown[];
  readonly options: SkillAssertionOptions | undefined;
  readonly method: (...args: never[]) => unknown;
  readonly name: string;
}

interface Detected {
  readonly detections: readonly SkillDetection[];
  readonly found: readonly string[];
}

function decide(
  report: SessionReport,
  { names, options, method, name }: Asked,
  rule: (detected: Detected) => string | undefined,
): void {
  checkCall(report, options, ['minConfidence']);
  for (const each of names) {
    if (typeof each !== 'string' || each === '')
      throw new TypeError(`expected the name of a skill, got ${givenShown(each)}`);
  }
  const least = options?.minConfidence ?? 'weak';
  if (!CONFIDENCES.includes(least))
    throw new TypeError(`minConfidence: expected one of ${CONFIDENCES.join(', ')}, got ${givenShown(least)}`);
  const limit = CONFIDENCES.indexOf(least);
  const detections = report.detectedSkills.filter(
    ({ confidence }) => CONFIDENCES.indexOf(confidence) <= limit,
  );
  const observed = (): Observed => ({ label: 'skills', values: report.detectedSkills.map(shown) });
  const sentence = rule({ detections, found: detections.map(({ skill }) => skill) });
  demand(sentence, observed, { method, operator: `skills.${name}`, options });
}

function counted(found: readonly string[], skill: string, count: number): string | undefined {
  const number = found.filter((name) => name === skill).length;
  if (number === count) return undefined;
  const times = count === 1 ? 'detection' : 'detections';
  return `Expected exactly ${count} ${times} of the skill ${JSON.stringify(skill)}, found ${number}.`;
}

function shown({ skill, confidence }: SkillDetection): string {
  return `${skill} (${confidence})`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
