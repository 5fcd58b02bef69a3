/** What a run would do, as `assay run --dry --json` prints it. */
export interface Plan {
  readonly trials: number;
  readonly cases: readonly {
    readonly suite?: string;
    readonly id: string;
    readonly targets: readonly string[];
    readonly repeat: number;
    readonly skip?: { readonly kind: string; readonly reason?: string };
  }[];
  readonly estimate: {
    readonly usd: number | null;
    readonly parts: readonly { readonly name: string; readonly usd: number }[];
    readonly unknown: readonly string[];
  };
}

/** What is asked for in the form. */
export interface Asked {
  readonly name: string;
  readonly targets: readonly string[];
  readonly repetitions: string;
  readonly budget: string;
}

export const NOTHING_ASKED: Asked = { name: '', targets: [], repetitions: '', budget: '' };

/** The body of `POST /runs`. What is no number is sent as it is: the server says what is wrong with it. */
export function bodyOf(
  { name, targets, repetitions, budget }: Asked,
  select: object,
): Readonly<Record<string, unknown>> {
  return {
    select,
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(targets.length === 0 ? {} : { targets }),
    ...(repetitions.trim() === '' ? {} : { repetitions: numberOf(repetitions) }),
    ...(budget.trim() === '' ? {} : { budget_usd: numberOf(budget) }),
  };
}

function numberOf(text: string): number | string {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
