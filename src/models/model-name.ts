export interface ModelName {
  readonly provider: string;
  readonly name: string;
}

/** Splits `provider/name` at the first slash; undefined for another form. */
export function parseModelName(model: string): ModelName | undefined {
  const slash = model.indexOf('/');
  if (slash < 1 || slash === model.length - 1) return undefined;
  return { provider: model.slice(0, slash), name: model.slice(slash + 1) };
}
