/** Domains whose mailboxes anybody gets for ten minutes. The list is read when it is first asked. */

let domains: Promise<Set<string>> | null = null;

/** @param emailKey as `parseEmailAddress` makes it */
export async function isThrowAway(emailKey: string): Promise<boolean> {
  domains ??= import('disposable-email-domains-js').then((list) => list.disposableEmailBlocklistSet());
  const known = await domains;
  const labels = emailKey.slice(emailKey.lastIndexOf('@') + 1).split('.');
  return labels.some((_label, from) => known.has(labels.slice(from).join('.')));
}
