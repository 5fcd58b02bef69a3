import { RefusedError } from '../../../../src/api/client.ts';

/** What is wrong with the two fields for models, in words. */
export interface ModelProblems {
  readonly user?: string;
  readonly judge?: string;
  /** Whether the refusal is about nothing else. */
  readonly isAll: boolean;
}

/**
 * The problems of a refused plan or start that belong to a field for a model; undefined: it has none.
 * `judges` is the target that judges; if it is not empty, the form has no field for a model of the judge.
 */
export function modelProblems(error: unknown, judges: string): ModelProblems | undefined {
  if (!(error instanceof RefusedError)) return undefined;
  const { code, param, message, problems } = error.problem;
  const told: readonly Told[] = problems ?? [{ code, param, message }];
  const found = told.map((each) => ({ field: fieldOf(each.param, judges), text: textOf(each) }));
  const textAt = (name: string) => found.find(({ field }) => field === name)?.text;
  const [user, judged] = [textAt('user'), textAt('judge')];
  if (user === undefined && judged === undefined) return undefined;
  return {
    ...(user === undefined ? {} : { user }),
    ...(judged === undefined ? {} : { judge: judged }),
    isAll: found.every(({ field }) => field !== undefined),
  };
}

interface Told {
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
}

function fieldOf(param: string | null, judges: string): 'user' | 'judge' | undefined {
  if (param === 'user' || param === 'user.model') return 'user';
  if (judges !== '') return undefined;
  return param === 'judge' || param === 'judge.model' ? 'judge' : undefined;
}

function textOf({ code, message }: Told): string {
  if (code === 'no-user') return 'A language model must play the user.';
  if (code === 'no-judge') return 'A language model must judge the answers.';
  return message;
}
