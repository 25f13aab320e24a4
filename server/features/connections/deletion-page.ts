/** The page for people who asked Meta to have their data deleted here: no login, no script, light and dark, on any phone. */
import type { DeletionStatus } from './data-deletion.ts';

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** @param code only letters and digits where the status is known */
export function deletionPage(code: string, status: DeletionStatus): string {
  switch (status.is) {
    case 'finished':
      return page('Your data was deleted', [
        `Creator HQ no longer has any data about you from Instagram or Facebook.`,
        `Requested on ${time(status.requestedAt)}, done on ${time(status.finishedAt)}.`,
        `Your confirmation code: <code>${code}</code>`,
      ]);
    case 'under_way':
      return page('Your data is being deleted', [
        `We got your request on ${time(status.requestedAt)}. Nothing more is sent to you or for you.`,
        `The rest takes a few minutes, or some hours for very large accounts. Open this page again to see when it’s done.`,
        `Your confirmation code: <code>${code}</code>`,
      ]);
    case 'unknown':
      return page('Request not found', ['Check the link. Use the one you got when you asked us to delete your data.']);
  }
}

function time(at: Date): string {
  return `<time datetime="${at.toISOString()}">${TIME.format(at)} (UTC)</time>`;
}

function page(title: string, paragraphs: string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Creator HQ</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.55 system-ui, sans-serif; color: #2b2622; background: #faf7f2; }
main { box-sizing: border-box; width: 100%; max-width: 32rem; padding: 2rem 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
code { padding: 0.1em 0.4em; border-radius: 4px; background: #eee7dc; font-size: 0.95em; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } code { background: #332e29; } }
</style>
</head>
<body><main><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}</main></body>
</html>
`;
}
