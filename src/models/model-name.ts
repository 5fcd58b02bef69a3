/** A model taken apart. */
export interface ModelName {
  readonly provider: string;
  readonly name: string;
}

/** `provider/name`, taken apart at the first slash; undefined when it is not of that form. */
export function parseModelName(model: string): ModelName | undefined {
  const slash = model.indexOf('/');
  if (slash < 1 || slash === model.length - 1) return undefined;
  return { provider: model.slice(0, slash), name: model.slice(slash + 1) };
}
