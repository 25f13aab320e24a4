/** Pages of a creator's members: HTML of the server, without script, for any phone. */
import { Html, hashOf, html } from '#server/http/html.ts';

const STYLE = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #faf7f2; }
main { box-sizing: border-box; width: 100%; max-width: 26rem; padding: 2rem 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
.creator { font-weight: 600; margin: 0 0 1rem; }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; min-height: 48px; padding: 0.5rem 0.75rem; border: 1px solid #77706a; border-radius: 8px; font: inherit; color: inherit; background: #fff; }
.code { font-size: 1.5rem; letter-spacing: 0.3em; }
button, .button { box-sizing: border-box; display: inline-block; width: 100%; min-height: 48px; margin: 1rem 0 0; padding: 0.6rem 1.5rem; border: 0; border-radius: 8px; background: #1e6b4a; color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
.quiet { background: none; color: inherit; box-shadow: inset 0 0 0 1px #88807a; }
:focus-visible { outline: 3px solid currentcolor; outline-offset: 3px; }
.wrong { padding: 0.75rem 1rem; border-radius: 8px; background: #b3261e1f; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } input { background: #2b2622; border-color: #a39b93; } }
`;

export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Page = { handle: string; title: string; wrong?: string | undefined };

export function emailPage(handle: string, { email = '', wrong }: { email?: string; wrong?: string } = {}): string {
  return page(
    { handle, title: 'Enter as a member', wrong },
    html`<p>Type the email address of your membership. We send a code there.</p>
<form method="post">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${email}">
<button>Send me a code</button>
</form>`,
  );
}

/** @param state sealed; what was asked for */
export function codePage(
  handle: string,
  { email, state, wrong }: { email: string; state: string; wrong?: string },
): string {
  return page(
    { handle, title: 'Type the code', wrong },
    html`<p>If there is a membership for <strong>${email}</strong>, a code of six digits is on its way there. Keep this page open, and type it here.</p>
<form method="post">
<label for="code">Code</label>
<input id="code" class="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="9" required>
<input type="hidden" name="state" value="${state}">
<button>Enter</button>
</form>
<form method="post"><input type="hidden" name="again" value="1"><input type="hidden" name="typed" value="${email}"><button class="quiet">Use another address, or another code</button></form>`,
  );
}

/** Leads on by itself; where that is switched off, by its button. @param url of the blog */
export function enteredPage(handle: string, url: string): string {
  return page(
    { handle, title: 'You’re in' },
    html`<p>You go back to the recipe now.</p><a class="button" href="${url}">Read on</a>`,
    html`<meta http-equiv="refresh" content="0;url=${url}">`,
  );
}

export function sayingPage(handle: string, title: string, says: string): string {
  return page({ handle, title }, html`<p>${says}</p>`);
}

function page({ handle, title, wrong }: Page, content: Html, head: Html | null = null): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
${new Html(`<style>${STYLE}</style>`)}
</head>
<body><main><p class="creator"><bdi>@${handle}</bdi></p><h1>${title}</h1>${wrong !== undefined && html`<p class="wrong" role="alert">${wrong}</p>`}${content}</main></body>
</html>
`.text;
}
