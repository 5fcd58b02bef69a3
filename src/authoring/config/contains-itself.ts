/** Whether a value contains itself, as an alias inside its own anchor does. */
export function containsItself(value: unknown, around: ReadonlySet<object> = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.has(value)) return true;
  const here = new Set(around).add(value);
  return Object.values(value).some((member) => containsItself(member, here));
}
