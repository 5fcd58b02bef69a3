import { isObject } from '../../lib/json.ts';
import { IMPLICIT_JUDGE, RUBRICS } from './entries.ts';
import type { EvaluatorGrammar, SuiteKeys } from './grammar.ts';

/** The evaluators of a suite that apply to each of its tests. */
export function suiteList({
  assert,
  execution,
}: Pick<SuiteKeys, 'assert' | 'execution'>): readonly EvaluatorGrammar[] | undefined {
  return assert ?? execution?.evaluators;
}

/** The types that the evaluators of a list name, if it is a list. */
export function typesOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return [RUBRICS];
    return isObject(item) && typeof item['type'] === 'string' ? [item['type']] : [];
  });
}

/** The types that an unchecked test uses, or the default type. */
export function typesOfTest(test: unknown, suite: readonly unknown[] = []): readonly string[] {
  if (!isObject(test)) return [];
  const { rubrics, turns, assert } = test;
  const execution = isObject(test['execution']) ? test['execution'] : {};
  const ofTurns = Array.isArray(turns) ? turns : [];
  const types = [
    ...(rubrics === undefined ? [] : [RUBRICS]),
    ...typesOf(assert ?? execution['evaluators']),
    ...ofTurns.flatMap((turn: unknown) => (isObject(turn) ? typesOf(turn['assert']) : [])),
  ];
  const inheritsNone = suite.length === 0 || execution['skip_defaults'] === true;
  return types.length === 0 && inheritsNone ? [IMPLICIT_JUDGE] : types;
}
