/** How every cookie of ours is set: for this host alone, out of reach of scripts, not sent along by other sites' forms. */

/**
 * Over https names begin with `__Host-`: browsers then take the cookie from this very host only, so that a neighbour under
 * the same domain can plant none (RFC 6265bis, section 4.1.3.2). Without https they would refuse the prefix.
 */
export function hostCookieName(baseUrl: string, name: string): string {
  return isSecure(baseUrl) ? `__Host-${name}` : name;
}

export function hostCookieOptions(baseUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(baseUrl) } as const;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
