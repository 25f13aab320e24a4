/**
 * The result of a call to Meta, sorted by the caller's next step. One function classifies
 * (`errors.ts`, the table of reference 4.3); the message engine and the connection jobs act on these.
 */
import type { Reason } from '#contract/outcomes.ts';

export type Verdict =
  /** Done; for a private reply `personId` is the follower's id in the conversation it opened. */
  | { kind: 'done'; messageId: string; personId: string | null }
  /** No answer, or one that says nothing: it may have reached the follower. Never send again blindly. */
  | { kind: 'unknown'; detail: string }
  /** Certainly not done; worth another try soon. */
  | { kind: 'retry'; detail: string }
  /** `app`: every connection; `connection`: all lanes of this one; `lane`: this lane. */
  | { kind: 'rate_limited'; scope: 'lane' | 'connection' | 'app'; waitMs: number; detail: string }
  /** Meta bars the account from messaging for a while. */
  | { kind: 'barred'; detail: string }
  /** The token is dead: nothing goes out until the creator signs in again. */
  | { kind: 'reauthenticate'; reason: string; detail: string }
  /** Final for this comment or person. */
  | { kind: 'refused'; reason: Reason; detail: string }
  /** Final until a setting changes: the creator must be told. */
  | { kind: 'misconfigured'; reason: Reason; detail: string };

/** Usage that Meta's headers tell; percents, and how long it wants to be left alone. */
export type Usage = { percent: number; regainAccessMs: number };

export type CallResult = { verdict: Verdict; usage: Usage | null };
