/** What Stripe answers where it does not do what was asked. Without an `error` object its own library would take a refusal for an answer. */
export type RefusalBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error' | 'rate_limit_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
};

export class Refusal extends Error {
  readonly status: number;
  readonly body: RefusalBody;

  constructor(status: number, body: RefusalBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** @returns 400 about a parameter */
export function wrongParam(param: string, message: string, code = 'parameter_invalid'): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', code, param, message });
}

/** @returns 400: this cannot be done in the state that it is in */
export function notNow(message: string, code = 'resource_state_invalid'): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', code, message });
}

/** @param what as Stripe names it in words, like `customer` */
export function noSuch(what: string, id: string, param = 'id'): Refusal {
  const message = `No such ${what}: '${id}'`;
  return new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', param, message });
}
