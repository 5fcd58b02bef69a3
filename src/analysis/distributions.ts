/** The natural logarithm of the gamma function, for x > 0. */
export function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  // From here on, Stirling's series is exact to double precision.
  for (; z < 15; z += 1) shift += Math.log(z);
  const inverse = 1 / (z * z);
  const series =
    (1 / 12 -
      inverse *
        (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse * (1 / 1188 - inverse / 400))))) /
    z;
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/** The regularised incomplete beta function: the chance that a Beta(a, b) variable is at most x. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The continued fraction converges fast only on one side of the mean.
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** The p-quantile of Beta(a, b). */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const logNorm = logGamma(a + b) - logGamma(a) - logGamma(b);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (let step = 0; step < 200; step++) {
    const miss = incompleteBeta(x, a, b) - p;
    if (miss > 0) high = x;
    else low = x;
    const slope = Math.exp(logNorm + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    const newton = x - miss / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * x) return next;
    x = next;
  }
  return x;
}

/** The p-quantile of Student's t distribution with `freedom` degrees of freedom. */
export function studentQuantile(p: number, freedom: number): number {
  if (p === 0.5) return 0;
  const inner = betaQuantile(Math.abs(2 * p - 1), 0.5, freedom / 2);
  const size = Math.sqrt((freedom * inner) / (1 - inner));
  return p < 0.5 ? -size : size;
}

/** The p-quantile of the standard normal distribution. */
export function normalQuantile(p: number): number {
  if (p < 0.5) return -normalQuantile(1 - p);
  let z = 0;
  // Newton's steps from the middle never pass the root, because the curve is concave from there.
  for (let step = 0; step < 100; step++) {
    const next = z + (p - normalCdf(z)) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2);
    if (Math.abs(next - z) <= 1e-15 * Math.abs(next)) return next;
    z = next;
  }
  return z;
}

/** The chance that a standard normal variable is at most z, for |z| below 8. */
export function normalCdf(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const kept = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return fraction;
}
