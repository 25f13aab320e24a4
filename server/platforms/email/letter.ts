/** Lays a short letter out as HTML and as plain text. Tables and inline styles: that is what mail programs understand. */

export type Letter = {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** One thing to do, at most. */
  button?: { label: string; url: string };
  /** Small print below the line. */
  footnote?: string;
  /** Small print too. */
  unsubscribeUrl?: string;
};

const INK = '#1c1917';
const FAINT = '#78716c';
const ACCENT = '#1e6b4a';
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export function layOut(letter: Letter): { subject: string; html: string; text: string } {
  return { subject: oneLine(letter.subject), html: toHtml(letter), text: toText(letter) };
}

function toHtml({ subject, heading, paragraphs, button, footnote, unsubscribeUrl }: Letter): string {
  const small = `margin:0 0 8px;font-size:13px;line-height:20px;color:${FAINT}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#faf7f4">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#faf7f4">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;overflow-wrap:anywhere;font-family:${FONT};color:${INK}">
<tr><td style="padding:0 4px 16px;font-size:15px;font-weight:700;color:${ACCENT}">Creator HQ</td></tr>
<tr><td style="padding:32px 28px;background:#ffffff;border:1px solid #ece5de;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:700">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px;font-size:16px;line-height:25px">${escapeHtml(text)}</p>`).join('\n')}
${button === undefined ? '' : buttonHtml(button, small)}
</td></tr>
<tr><td style="padding:16px 4px 0">
${footnote === undefined ? '' : `<p style="${small}">${escapeHtml(footnote)}</p>`}
${unsubscribeUrl === undefined ? '' : `<p style="${small}"><a href="${escapeHtml(unsubscribeUrl)}" style="color:${FAINT}">Unsubscribe from emails like this</a></p>`}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`;
}

function buttonHtml({ label, url }: { label: string; url: string }, small: string): string {
  const href = escapeHtml(url);
  return `<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:13px 24px;background:${ACCENT};border-radius:8px;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="${small}">If the button doesn’t work, open this link in your browser:</p>
<p style="${small};word-break:break-all"><a href="${href}" style="color:${FAINT}">${href}</a></p>`;
}

function toText({ heading, paragraphs, button, footnote, unsubscribeUrl }: Letter): string {
  return [
    heading,
    ...paragraphs,
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...(footnote === undefined ? [] : [`--\n${footnote}`]),
    ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe from emails like this:\n${unsubscribeUrl}`]),
  ].join('\n\n');
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A name with a line break in it must not begin a new header. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
