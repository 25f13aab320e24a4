import { escapeHtml } from '#server/platforms/email/letter.ts';

export type MailboxRow = { id: string; recipient: string; subject: string; created_at: Date };
export type MailboxMail = MailboxRow & { html: string; text: string };

export function listPage(mails: MailboxRow[]): string {
  const rows = mails.map(
    (mail) => `<li><a href="/mailbox/${mail.id}">
<strong>${escapeHtml(mail.subject)}</strong>
<span>To ${escapeHtml(mail.recipient)} · ${time(mail.created_at)}</span>
</a></li>`,
  );
  return page(
    'Mailbox',
    `<h1>Mailbox</h1>
<p class="note">No mail server is set up, so emails from this Creator HQ stay here. Set <code>SMTP_URL</code> to send them.</p>
${rows.length === 0 ? '<p class="note">No emails yet.</p>' : `<ul>${rows.join('\n')}</ul>`}`,
  );
}

export function mailPage(mail: MailboxMail): string {
  // The letter runs no script and reads nothing of ours; its links lead this window on.
  const letter = escapeHtml(mail.html.replace('<head>', '<head><base target="_top">'));
  return page(
    mail.subject,
    `<p><a href="/mailbox">← Mailbox</a></p>
<h1>${escapeHtml(mail.subject)}</h1>
<p class="note">To ${escapeHtml(mail.recipient)} · ${time(mail.created_at)}</p>
<iframe title="The email" sandbox="allow-top-navigation-by-user-activation" srcdoc="${letter}"></iframe>
<details><summary>As plain text</summary><pre>${escapeHtml(mail.text)}</pre></details>`,
  );
}

function time(at: Date): string {
  return `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Creator HQ</title>
<style>
body{margin:0 auto;max-width:720px;padding:24px 16px;background:#faf7f4;color:#1c1917;font:16px/1.5 system-ui,sans-serif}
h1{font-size:24px;line-height:1.25;margin:8px 0}
.note{color:#57534e;font-size:14px}
a{color:#175539}
ul{list-style:none;margin:16px 0;padding:0;background:#fff;border:1px solid #ece5de;border-radius:12px;overflow:hidden}
li+li{border-top:1px solid #ece5de}
li a{display:block;padding:12px 16px;color:inherit;text-decoration:none}
li a:hover,li a:focus-visible{background:#e5f1eb}
li span{display:block;color:#57534e;font-size:14px;overflow-wrap:anywhere}
iframe{width:100%;height:640px;border:1px solid #ece5de;border-radius:12px;background:#fff}
summary{margin-top:16px;cursor:pointer}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#fff;border:1px solid #ece5de;border-radius:12px;padding:16px}
</style>
</head>
<body><main>
${content}
</main></body>
</html>`;
}
