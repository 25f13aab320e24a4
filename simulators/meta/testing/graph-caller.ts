import type { MetaSimulator } from '../simulator.ts';

export interface GraphAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered
  body: any;
}

/** Calls Graph as a client would. Paths begin after the version. */
export function graphCaller(simulator: MetaSimulator, host: 'instagram' | 'facebook', token: string) {
  const base = host === 'instagram' ? simulator.baseUrls.INSTAGRAM_GRAPH_URL : simulator.baseUrls.META_GRAPH_URL;
  const call = async (method: string, path: string, body?: unknown): Promise<GraphAnswer> => {
    const response = await fetch(`${base}/v27.0${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown = {}) => call('POST', path, body),
    delete: (path: string) => call('DELETE', path),
    privateReply: (commentId: string, message: unknown = { text: 'Here you are' }) =>
      call('POST', '/me/messages', { recipient: { comment_id: commentId }, message }),
    send: (recipientId: string, message: unknown = { text: 'Hello' }, more: object = {}) =>
      call('POST', '/me/messages', { recipient: { id: recipientId }, message, ...more }),
  };
}

/** `code/subcode` of an error answer, for short assertions. */
export function errorKey(answer: GraphAnswer): string {
  const { code, error_subcode: subcode } = answer.body.error ?? {};
  return subcode === undefined ? String(code) : `${code}/${subcode}`;
}
