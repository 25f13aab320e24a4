import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { GraphFault } from '../faults/faults.ts';
import { businessUsage } from '../limits/rates.ts';
import type { Answer, GraphCall, Route } from './call.ts';
import { errorBody, GraphError } from './errors.ts';
import type { MetaPlatform } from './platform.ts';
import type { GraphRouter } from './router.ts';

type Outcome = { answer: Answer; error: GraphError | null };

/** Runs one Graph call: route, fault if one fits, rule, usage headers, ledger. Synchronous unless a fault waits. */
export function answerGraph(
  platform: MetaPlatform,
  router: GraphRouter,
  call: GraphCall,
  response: ServerResponse,
): void | Promise<void> {
  const route = router.find(call.flavour, call.method, call.node, call.edge);
  if (!route) return unknownCall(platform, call, response);
  call.operation = route.operation;
  const malformed = describe(route, call);
  if (malformed) return finish(platform, call, response, failed(platform, call, malformed), null);
  const fault = platform.faults.forCall(call);
  if (fault) return answerWithFault(platform, route, call, response, fault);
  finish(platform, call, response, run(platform, route, call), null);
}

function describe(route: Route, call: GraphCall): GraphError | null {
  try {
    route.describe?.(call);
    return null;
  } catch (error) {
    if (error instanceof GraphError) return error;
    throw error;
  }
}

function run(platform: MetaPlatform, route: Route, call: GraphCall): Outcome {
  try {
    return { answer: route.handle(call), error: null };
  } catch (error) {
    if (error instanceof GraphError) return failed(platform, call, error);
    throw error;
  }
}

function failed(platform: MetaPlatform, call: GraphCall, error: GraphError): Outcome {
  const body = errorBody(error, call.flavour === 'instagram', platform.world.ids.trace());
  return { answer: { status: error.status, body, ...(error.headers ? { headers: error.headers } : {}) }, error };
}

/** Real objects and unknown ones answer alike [D 100/33]; a path that nobody plays is noted. */
function unknownCall(platform: MetaPlatform, call: GraphCall, response: ServerResponse): void {
  const looksLikeId = /^[\w.$:=-]{6,}$/.test(call.node) && call.edge === '';
  if (!looksLikeId) platform.ledger.unimplemented(call.method, call.path);
  const error = new GraphError(100, 33, {
    message: `Unsupported ${call.method.toLowerCase()} request. Object with ID '${call.node}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  });
  finish(platform, call, response, failed(platform, call, error), null);
}

async function answerWithFault(
  platform: MetaPlatform,
  route: Route,
  call: GraphCall,
  response: ServerResponse,
  fault: GraphFault,
): Promise<void> {
  const effect = () => run(platform, route, call);
  const error = (code: number, subcode?: number, options?: ConstructorParameters<typeof GraphError>[2]) =>
    failed(platform, call, new GraphError(code, subcode, options));
  switch (fault.kind) {
    case 'error': {
      if (fault.afterEffect) effect();
      const options = {
        ...(fault.message === undefined ? {} : { message: fault.message }),
        ...(fault.httpStatus === undefined ? {} : { status: fault.httpStatus }),
      };
      return finish(
        platform,
        call,
        response,
        error(fault.code, fault.subcode, options),
        `error ${fault.code}${fault.subcode === undefined ? '' : `/${fault.subcode}`}`,
      );
    }
    case 'success_but_error':
      effect();
      return finish(platform, call, response, error(1, 1357046), fault.kind);
    case 'rate_limited': {
      const headers = call.account
        ? businessUsage(
            call.account.id,
            call.account.platform === 'instagram' ? 'instagram' : 'messenger',
            100,
            fault.regainMinutes,
          )
        : {};
      return finish(platform, call, response, error(fault.code ?? 80002, fault.subcode, { headers }), fault.kind);
    }
    case 'reset':
      if (fault.when === 'after') effect();
      record(platform, call, 0, null, 'reset', `reset ${fault.when}`);
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      if (fault.when === 'after') effect();
      // Never answered; the caller's time-out or the server's close ends it.
      return record(platform, call, 0, null, 'hung', `hang ${fault.when}`);
    case 'slow': {
      const early = fault.when === 'after' ? effect() : null;
      const slow = setTimeout(fault.delayMs).then(() =>
        finish(platform, call, response, early ?? effect(), fault.kind),
      );
      platform.slowCalls.add(slow);
      return slow.finally(() => platform.slowCalls.delete(slow));
    }
    case 'no_message_id': {
      const outcome = effect();
      const body = outcome.error ? outcome.answer.body : JSON.stringify({ recipient_id: call.recipientId });
      return finish(platform, call, response, { ...outcome, answer: { ...outcome.answer, body } }, fault.kind);
    }
    case 'html': {
      if (fault.when === 'after') effect();
      const body =
        '<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>';
      return finish(
        platform,
        call,
        response,
        { answer: { status: fault.status ?? 502, body, contentType: 'text/html; charset=utf-8' }, error: null },
        fault.kind,
      );
    }
    case 'garbled': {
      if (fault.when !== 'before') effect();
      return finish(
        platform,
        call,
        response,
        { answer: { status: 200, body: '{"recipient_id":"15' }, error: null },
        fault.kind,
      );
    }
    case 'echo_first': {
      const outcome = effect();
      await platform.webhooks.settle();
      return finish(platform, call, response, outcome, fault.kind);
    }
  }
}

function finish(
  platform: MetaPlatform,
  call: GraphCall,
  response: ServerResponse,
  { answer, error }: Outcome,
  fault: string | null,
): void {
  record(platform, call, answer.status, error, 'answered', fault);
  const usage = platform.rates.headers(call.account);
  const headers: Record<string, string | number> = {
    'content-type': answer.contentType ?? 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(answer.body),
  };
  if (usage) Object.assign(headers, usage);
  if (answer.headers) Object.assign(headers, answer.headers);
  response.writeHead(answer.status, headers);
  response.end(answer.body);
}

function record(
  platform: MetaPlatform,
  call: GraphCall,
  status: number,
  error: GraphError | null,
  answer: 'answered' | 'reset' | 'hung',
  fault: string | null,
): void {
  platform.ledger.graph(
    call,
    status,
    error ? { code: error.code, ...(error.subcode === undefined ? {} : { subcode: error.subcode }) } : null,
    answer,
    fault,
  );
}
