/** `= 0.03`, `< 0.001`; never rounded across 0.05. */
export function pText(p: number): string {
  if (p < 0.001) return '< 0.001';
  const digits = p < 0.01 || (p > 0.045 && p < 0.055) ? 3 : 2;
  const shown = Number(p.toFixed(digits));
  return shown === 0.05 && p < 0.05 ? '< 0.05' : `= ${shown}`;
}
