/** How much slower than this machine Lighthouse's phone is, unless told otherwise: meant for an index of some 1,500. */
export const LIGHTHOUSE_SLOWDOWN = 4;

/**
 * Lighthouse's `benchmarkIndex` of a machine, and how much slower than it the phone is that Lighthouse means: an index of
 * 150. Between two points in a straight line.
 *
 * Source: the calculator that Lighthouse's `docs/throttling.md` ("Calibrating the CPU slowdown") refers to; Google's own
 * PageSpeed Insights takes its factor from it (GoogleChrome/lighthouse, pull request 16256).
 */
const CALCULATOR = [
  { index: 150, slowdown: 1 },
  { index: 800, slowdown: 2 },
  { index: 1300, slowdown: 3 },
  { index: 1999, slowdown: 6 },
] as const;

/**
 * @param benchmarkIndex what Lighthouse measured for this machine
 * @returns the factor that makes it the phone Lighthouse means, with one decimal; never below 1
 */
export function slowdownFor(benchmarkIndex: number): number {
  const above = CALCULATOR.findIndex((point) => benchmarkIndex < point.index);
  const to = above === -1 ? CALCULATOR.length - 1 : Math.max(above, 1);
  const [low, high] = [CALCULATOR[to - 1]!, CALCULATOR[to]!];
  const share = (benchmarkIndex - low.index) / (high.index - low.index);
  return Math.max(1, Math.round((low.slowdown + share * (high.slowdown - low.slowdown)) * 10) / 10);
}
