/** What makes a target a variant: the target it is made of, and the name of its value in each dimension. */
export interface TargetVariant {
  readonly base: string;
  readonly values: Readonly<Record<string, string>>;
}
