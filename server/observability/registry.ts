/**
 * Measures of this process, kept in plain numbers: counting one costs two look-ups in a map and makes no garbage. Readers
 * (the Prometheus endpoint, OTLP, the operator's page) take a snapshot.
 *
 * NOTE: labels are for closed lists (a lane, an outcome's reason). Never for ids, names or anything that people enter: each
 * value is a time series that whoever stores it keeps for ever.
 */

/** At most two labels: what needs more is better told by two measures. */
type LabelNames = readonly [] | readonly [string] | readonly [string, string];

export type Point =
  | { labels: [name: string, value: string][]; value: number }
  /** `counts` has one entry for each bound and one for what is above all of them; not added up. */
  | {
      labels: [name: string, value: string][];
      bounds: readonly number[];
      counts: number[];
      sum: number;
      count: number;
    };

export type Family = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram'; points: Point[] };

/** A label that turns out to have no end must not fill the memory. */
const CELLS_AT_MOST = 500;
const TOO_MANY = 'other';

abstract class Measure<Cell> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: LabelNames;
  private readonly cells = new Map<string, Map<string, Cell>>();
  private size = 0;

  constructor(name: string, help: string, labelNames: LabelNames) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  protected abstract make(): Cell;
  protected abstract point(labels: [string, string][], cell: Cell): Point;

  protected cell(first = '', second = ''): Cell {
    const found = this.cells.get(first)?.get(second);
    if (found !== undefined) return found;
    if (this.size >= CELLS_AT_MOST && first !== TOO_MANY) return this.cell(TOO_MANY, second === '' ? '' : TOO_MANY);
    const cell = this.make();
    const seconds = this.cells.get(first) ?? new Map<string, Cell>();
    this.cells.set(first, seconds.set(second, cell));
    this.size++;
    return cell;
  }

  protected *all(only?: string): Iterable<Cell> {
    for (const [first, seconds] of this.cells) if (only === undefined || only === first) yield* seconds.values();
  }

  points(): Point[] {
    const points: Point[] = [];
    for (const [first, seconds] of this.cells) {
      for (const [second, cell] of seconds) {
        const values = [first, second];
        const labels = this.labelNames.map((name, index): [string, string] => [name, values[index]!]);
        points.push(this.point(labels, cell));
      }
    }
    return points;
  }
}

/** Only ever grows; read as a rate. */
export class Counter extends Measure<{ value: number }> {
  protected make() {
    return { value: 0 };
  }

  protected point(labels: [string, string][], { value }: { value: number }): Point {
    return { labels, value };
  }

  add(amount: number, first?: string, second?: string): void {
    this.cell(first, second).value += amount;
  }

  /** Over all labels, or over those whose first is this. */
  total(first?: string): number {
    let total = 0;
    for (const { value } of this.all(first)) total += value;
    return total;
  }
}

type Distribution = { counts: number[]; sum: number };

/** How values spread over given bounds. */
export class Histogram extends Measure<Distribution> {
  readonly bounds: readonly number[];

  constructor(name: string, help: string, labelNames: LabelNames, bounds: readonly number[]) {
    super(name, help, labelNames);
    this.bounds = bounds;
  }

  protected make(): Distribution {
    return { counts: new Array<number>(this.bounds.length + 1).fill(0), sum: 0 };
  }

  protected point(labels: [string, string][], { counts, sum }: Distribution): Point {
    return { labels, bounds: this.bounds, counts: [...counts], sum, count: counts.reduce((all, one) => all + one, 0) };
  }

  observe(value: number, first?: string, second?: string): void {
    const cell = this.cell(first, second);
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket++;
    cell.counts[bucket]!++;
    cell.sum += value;
  }

  /** Over all labels. */
  together(): { bounds: readonly number[]; counts: number[] } {
    const counts = this.make().counts;
    for (const cell of this.all()) for (const [bucket, count] of cell.counts.entries()) counts[bucket]! += count;
    return { bounds: this.bounds, counts };
  }
}

/** Values that are asked for when somebody looks. */
type Gauge = {
  name: string;
  type: 'gauge' | 'counter';
  help: string;
  labelNames: LabelNames;
  read: () => GaugeValues | Promise<GaugeValues>;
};
type GaugeValues = number | null | [labels: string[], value: number][];

export class Registry {
  private readonly measures: (Counter | Histogram)[] = [];
  private readonly gauges: Gauge[] = [];
  private readonly names = new Set<string>();
  private readonly onFailure: (error: unknown) => void;

  /** @param onFailure told when a gauge could not be read; the others are shown without it */
  constructor(onFailure: (error: unknown) => void) {
    this.onFailure = onFailure;
  }

  counter(name: string, help: string, labelNames: LabelNames = []): Counter {
    const counter = new Counter(this.claim(name), help, labelNames);
    this.measures.push(counter);
    // Without labels it is known before the first time: an alert can tell zero from absent.
    if (labelNames.length === 0) counter.add(0);
    return counter;
  }

  histogram(name: string, help: string, bounds: readonly number[], labelNames: LabelNames = []): Histogram {
    const histogram = new Histogram(this.claim(name), help, labelNames, bounds);
    this.measures.push(histogram);
    return histogram;
  }

  /** @param read null: not known at this moment, so not shown */
  gauge(name: string, help: string, read: Gauge['read'], labelNames: LabelNames = []): void {
    this.gauges.push({ name: this.claim(name), type: 'gauge', help, labelNames, read });
  }

  /** A counter that somebody else keeps. */
  counted(name: string, help: string, read: () => number): void {
    this.gauges.push({ name: this.claim(name), type: 'counter', help, labelNames: [], read });
  }

  /** Every measure, whether it has values or not. */
  describe(): { name: string; help: string }[] {
    return [...this.measures, ...this.gauges].map(({ name, help }) => ({ name, help }));
  }

  async snapshot(): Promise<Family[]> {
    const counted = this.measures.map((measure): Family => {
      const type = measure instanceof Counter ? 'counter' : 'histogram';
      return { name: measure.name, help: measure.help, type, points: measure.points() };
    });
    const read = await Promise.all(this.gauges.map((gauge) => this.read(gauge)));
    return [...counted, ...read].filter(({ points }) => points.length > 0);
  }

  private async read({ name, type, help, labelNames, read }: Gauge): Promise<Family> {
    const family: Family = { name, help, type, points: [] };
    try {
      const values = await read();
      const all = typeof values === 'number' ? [[[], values] as [string[], number]] : (values ?? []);
      family.points = all.map(([labels, value]) => ({
        labels: labelNames.map((label, index): [string, string] => [label, labels[index] ?? '']),
        value,
      }));
    } catch (error) {
      this.onFailure(error);
    }
    return family;
  }

  private claim(name: string): string {
    if (this.names.has(name)) throw new Error(`The measure ${name} is there twice.`);
    this.names.add(name);
    return name;
  }
}

/**
 * The value below which this share of a histogram's values lies, assuming that they spread evenly within a bucket; for
 * what is above all bounds the last bound. Null without values.
 *
 * @param counts not added up, as in a `Point`
 */
export function quantile(share: number, bounds: readonly number[], counts: readonly number[]): number | null {
  const total = counts.reduce((all, one) => all + one, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (below + count < share * total || count === 0) {
      below += count;
      continue;
    }
    const high = bounds[index];
    if (high === undefined) break;
    const low = index === 0 ? 0 : bounds[index - 1]!;
    return low + ((share * total - below) / count) * (high - low);
  }
  return bounds.at(-1) ?? null;
}
