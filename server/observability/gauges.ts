/** Values that are asked for when somebody looks, over prom-client, which lets one that cannot be read fail all the others. */
import { Gauge, type Registry } from 'prom-client';

/** null: not known at this moment, so not shown. */
type Values = number | null | [labels: string[], value: number][];

export type AddGauge = (
  name: string,
  help: string,
  read: () => Values | Promise<Values>,
  labelNames?: readonly string[],
) => void;

/** @param onFailure told when a gauge could not be read; the others are shown without it */
export function gaugesOf(registry: Registry, onFailure: (error: unknown) => void): AddGauge {
  return (name, help, read, labelNames = []) => {
    new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      async collect() {
        let values: Values = null;
        try {
          values = await read();
        } catch (error) {
          onFailure(error);
        }
        this.reset();
        // Without labels it would now be 0.
        if (labelNames.length === 0) this.remove();
        const all: [string[], number][] = typeof values === 'number' ? [[[], values]] : (values ?? []);
        for (const [labels, value] of all) this.labels(...labels).set(value);
      },
    });
  };
}
