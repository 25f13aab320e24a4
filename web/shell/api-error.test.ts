import { expect, it } from 'vitest';
import { errorFromAnswer, mayPass, networkError } from '#web/shell/api-error.ts';

it('falls back to the default words when the answer is not a problem document', () => {
  for (const body of [undefined, null, 'Bad gateway', {}, { title: '', detail: '' }]) {
    expect(errorFromAnswer(502, body)).toMatchObject({
      title: 'Error',
      detail: 'Operation failed',
      code: 'unknown',
      status: 502,
      fields: [],
    });
  }
});

it('takes title, detail, code and fields from a problem document', () => {
  const error = errorFromAnswer(422, {
    type: 'about:blank',
    title: 'Please check what you entered',
    status: 422,
    detail: 'The link is missing.',
    code: 'invalid_input',
    errors: [{ path: 'buttons.0.url', message: 'Enter a link.' }],
  });
  expect(error).toMatchObject({ title: 'Please check what you entered', detail: 'The link is missing.' });
  expect(error.fields).toEqual([{ path: 'buttons.0.url', message: 'Enter a link.' }]);
});

it('asks again only where that may help', () => {
  expect(mayPass(networkError())).toBe(true);
  expect(mayPass(errorFromAnswer(503, {}))).toBe(true);
  expect(mayPass(errorFromAnswer(429, {}))).toBe(true);
  expect(mayPass(errorFromAnswer(404, {}))).toBe(false);
  expect(mayPass(errorFromAnswer(401, {}))).toBe(false);
});
