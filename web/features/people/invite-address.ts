/** Keeps the token of an invitation mail on the way between signing up and logging in. */
export function withInvite(path: string, token: string | null): string {
  return token === null ? path : `${path}?${new URLSearchParams({ invite: token })}`;
}
