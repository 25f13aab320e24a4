import { format } from 'node:util';
import { afterEach, beforeEach, expect } from 'vitest';

/**
 * An error that nobody expected on the console fails the test that caused it. A test that expects one says so with
 * `vi.spyOn(console, 'error').mockImplementation(() => {})`, whose replacement is not watched.
 */
const print = console.error;
let unexpected: string[] = [];

beforeEach(() => {
  unexpected = [];
  console.error = (...parts: unknown[]) => {
    unexpected.push(format(...parts));
    print(...parts);
  };
});
afterEach(() => {
  console.error = print;
  expect(unexpected, 'console.error was called').toEqual([]);
});
