/** A control call that makes no sense; the client throws its text. */
export class Refusal extends Error {
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws Refusal 404 when there is none */
export function found<Item>(item: Item | undefined | null, what: string, id: string): Item {
  if (item === undefined || item === null) throw new Refusal(404, `There is no ${what} ${id}`);
  return item;
}
