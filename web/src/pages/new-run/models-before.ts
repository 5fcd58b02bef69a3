import type { RunResource } from '../../../../src/api/resources/run.ts';
import type { CaseFilters } from '../../cases/case-filters.ts';
import { CONFIGURED_JUDGE } from '../../parts/asked-judge.ts';
import { againOf, type Again } from './again.ts';
import type { Asked } from './plan.ts';

type Models = Pick<Asked, 'userModel' | 'judge'> & Partial<Pick<Asked, 'isWithoutModels' | 'answerText'>>;

/** The models of an earlier run, and its id. */
export interface ModelsBefore {
  readonly run: string;
  readonly models: Models;
}

type Selected = CaseFilters & { readonly id?: readonly string[] | undefined };

/**
 * What the newest run of the same selection asked of language models, else the newest run that named one. Undefined if
 * no run did. `runs`: newest first.
 */
export function modelsBefore(runs: readonly RunResource[], selected: Selected): ModelsBefore | undefined {
  const found = runs.flatMap((run) => {
    const again = againOf(run);
    return again === undefined ? [] : [{ run: run.id, ...again }];
  });
  const same = found.find(
    ({ search, asked }) => isSame(search, selected) && (names(asked) || asked.isWithoutModels),
  );
  if (same !== undefined) {
    const { userModel, judge, isWithoutModels, answerText } = same.asked;
    return { run: same.run, models: { userModel, judge, isWithoutModels, answerText } };
  }
  const other = found.find(({ asked }) => names(asked));
  if (other === undefined) return undefined;
  const { target, model } = other.asked.judge;
  const models = { userModel: other.asked.userModel, judge: { ...CONFIGURED_JUDGE, target, model } };
  return { run: other.run, models };
}

function names({ userModel, judge }: Again['asked']): boolean {
  return [userModel, judge.model, judge.target].some((text) => text !== '');
}

function isSame(one: Selected, other: Selected): boolean {
  return JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other));
}

function partsOf({ status, difficulty, tag_any: any, tag_all: all, search, set, id }: Selected) {
  return [status, difficulty, any, all, search, set, id].map((part) => part ?? null);
}
