import { RefusedError } from '../../../../src/api/client.ts';
import { given } from '../../../../src/lib/given.ts';
import type { AskedJudge } from '../../parts/asked-judge.ts';
import type { Asked } from './plan.ts';

/** What is wrong with the fields for models, and with the text that is checked without them, in words. */
export interface ModelProblems {
  readonly user?: string;
  readonly judge?: string;
  readonly text?: string;
  /** Whether the refusal is about nothing else. */
  readonly isAll: boolean;
  /** Whether something is still to be filled in, and nothing that was filled in is wrong. */
  readonly isMissing: boolean;
}

/** The problems of a refused plan or start that belong to a field for a model; undefined: it has none. */
export function modelProblems(error: unknown, asked: AskedOf): ModelProblems | undefined {
  if (!(error instanceof RefusedError)) return undefined;
  const { code, param, message, problems } = error.problem;
  const told: readonly Told[] = problems ?? [{ code, param, message }];
  const found = told.map((each) => ({ field: fieldOf(each, asked), text: textOf(each, asked) }));
  const textAt = (name: string) => found.find(({ field }) => field === name)?.text;
  const at = given({ user: textAt('user'), judge: textAt('judge'), text: textAt('text') });
  if (Object.keys(at).length === 0) return undefined;
  const ofFields = told.filter((each) => fieldOf(each, asked) !== undefined);
  return {
    ...at,
    isAll: ofFields.length === told.length,
    isMissing: ofFields.every((each) => MISSING.has(each.code)),
  };
}

const MISSING: ReadonlySet<string> = new Set(['no-user', 'no-judge', 'nothing-to-grade']);

/** If a target judges, the form has no field for a model of the judge. */
type AskedOf = Pick<Asked, 'isWithoutModels'> & { readonly judge: Pick<AskedJudge, 'target'> };

interface Told {
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
}

function fieldOf(
  { code, param }: Told,
  { isWithoutModels, judge }: AskedOf,
): keyof ModelProblems | undefined {
  if (isWithoutModels) return code in WITHOUT_MODELS ? 'text' : undefined;
  if (param === 'user' || param === 'user.model') return 'user';
  if (judge.target !== '') return undefined;
  return param === 'judge' || param === 'judge.model' ? 'judge' : undefined;
}

const WITHOUT_MODELS: Readonly<Record<string, string>> = {
  'nothing-to-grade': 'Write a text that the answer must contain.',
  'no-judge':
    'Own criteria of a selected case need a language model as judge. Choose models, or leave that case out.',
};

function textOf({ code, message }: Told, { isWithoutModels }: AskedOf): string {
  if (isWithoutModels) return WITHOUT_MODELS[code] ?? message;
  if (code === 'no-user') return 'A language model must play the user.';
  if (code === 'no-judge') return 'A language model must judge the answers.';
  // The field has its own label.
  return message.replace(/^(user|judge)\.model: /, '');
}
