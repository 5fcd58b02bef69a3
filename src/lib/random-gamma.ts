/** A number drawn from the gamma distribution with scale 1 (Marsaglia and Tsang, 2000). `shape` is above 0. */
export function randomGamma(shape: number, random: () => number): number {
  if (shape < 1) return randomGamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = randomNormal(random);
    const v = (1 + c * normal) ** 3;
    if (v > 0 && Math.log(1 - random()) < normal ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** A number drawn from the standard normal distribution (Box and Muller). */
export function randomNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
