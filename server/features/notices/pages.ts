import { escapeHtml } from '#server/platforms/email/letter.ts';

export function askPage(handle: string): string {
  return page(
    'Stop weekly summary?',
    `<p>You won’t get the weekly summary for ${escapeHtml(handle)} anymore. You’ll still get other emails.</p>
<form method="post"><button type="submit">Stop weekly summary</button></form>`,
  );
}

export function donePage(handle: string): string {
  return page(
    'Weekly summary stopped',
    `<p>You won’t get the weekly summary for ${escapeHtml(handle)} anymore. To get it again, go to Settings in Creator HQ.</p>
<p><a href="/creator-hq/settings">Open Settings</a></p>`,
  );
}

export function unknownPage(): string {
  return page(
    'This link doesn’t work',
    '<p>It may be incomplete, or the account was deleted. Open it from the email again, or choose your emails in Settings.</p>',
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Creator HQ</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #faf7f2; }
main { max-width: 26rem; padding: 2rem; text-align: center; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; }
a { color: #175539; }
button { min-height: 44px; padding: 0 1.5rem; border: 0; border-radius: 8px; background: #1e6b4a; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } a { color: #93dfbb; } }
</style>
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
}
