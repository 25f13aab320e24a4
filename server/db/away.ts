/** Errors that say nothing about what was asked: PostgreSQL is away, or told us to try again. */

/** Starting, stopping, failing over, out of connections or memory, a deadlock, or no answer at all. */
export function isPassing(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(08|40|53|55|57)/.test(code) ||
    /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code) ||
    /onnection terminated|onnection error|timeout/.test(message)
  );
}
