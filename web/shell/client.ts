/** The one way to call the server: an endpoint of the contract and what it asks for. */
import { API_BASE, type Endpoint, type RequestOf, type ResponseOf } from '#contract/endpoint.ts';
import { errorFromAnswer, networkError } from '#web/shell/api-error.ts';
import { takeEarly } from '#web/shell/early-calls.ts';

type Parts = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/**
 * Calls an endpoint with the session's cookie.
 * @throws ApiError for every failure but an abort by the caller's signal.
 */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: { signal?: AbortSignal } = {},
): Promise<ResponseOf<E>> {
  const { body } = request as Parts;
  let response: Response;
  try {
    const address = addressOf(endpoint, request);
    const early = endpoint.method === 'GET' ? takeEarly(address) : undefined;
    response = await (early ??
      fetch(address, {
        method: endpoint.method,
        credentials: 'same-origin',
        headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(options.signal && { signal: options.signal }),
      }));
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw networkError();
  }
  const text = await response.text().catch(() => {
    if (options.signal?.aborted) throw options.signal.reason;
    throw networkError();
  });
  const answer = parseJson(text);
  if (!response.ok) throw errorFromAnswer(response.status, answer);
  return answer as ResponseOf<E>;
}

/** Path and query string of a call: `/api/v1/creators/…/posts?search=lemon`. */
export function addressOf<E extends Endpoint>(endpoint: E, request: RequestOf<E>): string {
  const { params = {}, query = {} } = request as Parts;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || value === '') throw new Error(`${endpoint.path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `${API_BASE}${path}${search.size > 0 ? `?${search}` : ''}`;
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
