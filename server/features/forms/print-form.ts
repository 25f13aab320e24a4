/**
 * The one printer of forms: finished HTML with its CSS, for the pages of a blog. Declarative Shadow DOM, so that no theme
 * reaches in and it works without a script. https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode
 */
import { ADS_WORDING, contrastOf, type FormDesign, type FormTexts, readableOn } from '#contract/forms.ts';
import { FORM_PLACEHOLDERS, type FormKind, type PrintedForm } from '#contract/plugin.ts';

type Printable = { key: string; kind: FormKind; name: string; version: number; design: FormDesign };
type Look = FormDesign['look'];

/** Written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']);

const FONTS = {
  system: 'system-ui,sans-serif',
  serif: 'Georgia,serif',
  rounded: 'ui-rounded,"Arial Rounded MT Bold",system-ui,sans-serif',
} as const;

export function printForm(form: Printable): PrintedForm {
  const { key, kind, name, version, design } = form;
  const languages = design.texts.map((texts) => ({ language: texts.language, html: htmlOf(form, texts) }));
  return { key, kind, name, version, languages };
}

/** What stands in a form that comes back to its reader, with what is to be said there. */
export type FilledIn = {
  email: string;
  firstName: string;
  newsletter: boolean;
  says: string;
  isWrong: boolean;
  /** The address they probably meant. */
  suggestion: string | null;
};
/** For the places that a blog fills in. */
export type Places = Record<keyof typeof FORM_PLACEHOLDERS, string>;

/** The same for a page of ours, which has no theme to keep out: always open, without shadow, its places filled in. */
export function printPlain(
  { key, kind, design }: Pick<Printable, 'key' | 'kind' | 'design'>,
  texts: FormTexts,
  places: Places,
  filledIn: FilledIn | null,
): { css: string; html: string; dir: 'ltr' | 'rtl' } {
  // A page of ours has no ads.
  const opened = { ...design, ads: false, layout: design.layout === 'button' ? ('stacked' as const) : design.layout };
  const html = Object.entries(places).reduce(
    (printed, [place, value]) => printed.replaceAll(FORM_PLACEHOLDERS[place as keyof Places], () => text(value)),
    fieldsOf(key, kind, opened, texts, filledIn),
  );
  return { css: cssOf(opened), html, dir: directionOf(texts) };
}

function directionOf({ language }: FormTexts): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language.split('-')[0]!) ? 'rtl' : 'ltr';
}

function htmlOf({ key, kind, version, design }: Printable, texts: FormTexts): string {
  const dir = directionOf(texts);
  const fields = fieldsOf(key, kind, design, texts, null);
  const inside =
    design.layout === 'button' ? `<details><summary>${text(texts.button)}</summary>${fields}</details>` : fields;
  return [
    `<creator-hq-form lang="${text(texts.language)}" dir="${dir}" data-form="${text(key)}" data-version="${version}"`,
    ` data-kind="${kind}" data-thanks="${text(texts.thanks)}">`,
    `<template shadowrootmode="open"><style>${cssOf(design)}</style>${inside}</template></creator-hq-form>`,
  ].join('');
}

function fieldsOf(
  key: string,
  kind: FormKind,
  design: FormDesign,
  texts: FormTexts,
  filledIn: FilledIn | null,
): string {
  const { heading, description } = texts;
  const { action, post, recipe, stamp, attempt } = FORM_PLACEHOLDERS;
  const hidden = { form: text(key), post, recipe, stamp, attempt, return: '' };
  const describedBy = description === '' ? 'status' : 'about status';
  // A sign-up is the yes itself; a gate needs one, and never gives it for them.
  const box = kind === 'save' ? design.newsletter : kind === 'gate' ? 'needed' : 'off';
  const isTicked = filledIn === null ? box === 'ticked' : filledIn.newsletter;
  const filled = (value = '') => (value === '' ? '' : ` value="${text(value)}"`);
  const name = heading === '' ? `aria-label="${text(texts.button)}"` : 'aria-labelledby="heading"';
  return [
    `<form class="${design.layout}" method="post" action="${action}" accept-charset="utf-8" ${name}>`,
    design.pictureUrl === null
      ? ''
      : `<img src="${text(design.pictureUrl)}" alt="" width="64" height="64" loading="lazy">`,
    heading === '' ? '' : `<p id="heading">${text(heading)}</p>`,
    description === '' ? '' : `<p id="about">${text(description)}</p>`,
    '<div class="row">',
    design.firstName
      ? `<p class="field"><label for="first_name">${text(texts.firstNameLabel)}</label><input id="first_name" name="first_name" maxlength="60" autocomplete="given-name"${filled(filledIn?.firstName)}></p>`
      : '',
    `<p class="field"><label for="email">${text(texts.emailLabel)}</label><input id="email" name="email" type="email" required maxlength="254" autocomplete="email" inputmode="email" placeholder="${text(texts.placeholder)}" aria-describedby="${describedBy}"${filledIn?.isWrong ? ' aria-invalid="true" autofocus' : ''}${filled(filledIn?.email)}></p>`,
    `<button type="submit">${text(texts.button)}</button></div>`,
    box === 'off'
      ? ''
      : `<label class="box"><input type="checkbox" name="newsletter" value="1"${isTicked ? ' checked' : ''}${box === 'needed' ? ' required' : ''}> <span>${text(texts.newsletter)}</span></label>`,
    design.ads === true
      ? `<label class="box"><input type="checkbox" name="ads" value="1"> <span>${text(texts.ads || ADS_WORDING)}</span></label>`
      : '',
    // For programs that fill in everything; out of sight, of reach and of what is read out.
    '<div class="trap" aria-hidden="true"><input name="website" tabindex="-1" autocomplete="off"></div>',
    ...Object.entries(hidden).map(([field, value]) => `<input type="hidden" name="${field}" value="${value}">`),
    `<p id="status" role="status" dir="auto">${text(filledIn?.says ?? '')}${suggestionOf(filledIn)}</p>`,
    design.privacyUrl === null
      ? ''
      : `<p class="small"><a href="${text(design.privacyUrl)}" target="_blank" rel="noopener">${text(texts.privacyLabel)}</a></p>`,
    '</form>',
  ].join('');
}

/** Their own address goes with the form's button, as they wrote it. */
function suggestionOf(filledIn: FilledIn | null): string {
  if (!filledIn?.suggestion) return '';
  const meant = text(filledIn.suggestion);
  return `<br><button type="submit" name="meant" value="${meant}">${meant}</button><input type="hidden" name="sure" value="1">`;
}

/** Colors, numbers and names of fonts only, all checked by the contract: no text of a creator's gets into the CSS. */
function cssOf({ look }: FormDesign): string {
  const own = look.kind === 'own';
  const around = own
    ? `background:${look.background};color:${look.text};font-family:${FONTS[look.font]};padding:20px;`
    : 'color:inherit;font-family:inherit;';
  const field = own
    ? `background:${fieldBackground(look)};color:${fieldText(look)};border:1px solid ${look.text}`
    : 'background:#fff;color:#111;border:1px solid #595959';
  const { button, buttonText, buttonHeight, corners } = look;
  return [
    // Checkboxes and cursors of the browser's own follow its own colors, whatever the page around it is.
    own ? `:host{color-scheme:${isDark(look) ? 'dark' : 'light'}}` : '',
    ':host{display:block;max-width:100%}:host([hidden]){display:none}*{box-sizing:border-box}',
    `form,details{${around}border-radius:${corners}px;font-size:16px;line-height:1.45;text-align:start;overflow-wrap:anywhere}`,
    'details form{padding-inline:0;padding-bottom:0}p{margin:0 0 10px}#heading{font-size:1.25em;font-weight:700;line-height:1.25}',
    'img{float:inline-end;object-fit:cover;max-width:25%;height:auto;margin-inline-start:12px;border-radius:4px}',
    '.row{display:flex;flex-wrap:wrap;gap:10px;align-items:flex-end;clear:both}.field{flex:1 1 12em;min-width:0;margin:0}',
    '.stacked .row>*,.button .row>*{flex-basis:100%}label{display:block;font-weight:600;margin-bottom:4px}',
    `input:not([type=checkbox]){width:100%;min-width:0;min-height:44px;padding:8px 12px;font:inherit;border-radius:${corners}px;${field}}`,
    `button,summary{min-height:${buttonHeight}px;min-width:44px;padding:8px 18px;border:2px solid ${button};border-radius:${corners}px;background:${button};color:${buttonText};font:inherit;font-weight:700;cursor:pointer}`,
    'summary{display:inline-flex;align-items:center;list-style:none}summary::-webkit-details-marker{display:none}details[open] summary{margin-bottom:12px}',
    'button[aria-disabled=true]{cursor:default;border-style:dashed}',
    '.box{display:flex;gap:10px;align-items:center;min-height:44px;margin:8px 0 0;font-weight:400;cursor:pointer}.box input{flex:none;width:24px;height:24px;margin:0}',
    '.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}',
    '#status{margin:8px 0 0;font-weight:600}#status:empty{margin:0}#status button{margin:6px 0 0}.small{margin:8px 0 0;font-size:.875em}',
    '.small a{display:inline-block;padding:12px 0;color:inherit}[aria-invalid=true]{border-width:2px;border-style:dashed}',
    ':focus-visible{outline:3px solid currentColor;outline-offset:2px}',
    '@media (prefers-reduced-motion:no-preference){button,summary{transition:opacity .15s}button:hover,summary:hover{opacity:.9}}',
    '@media (forced-colors:active){button,summary,input{border:1px solid}}',
  ].join('');
}

/** Light text on a dark background. */
function isDark({ text: color }: Look): boolean {
  return contrastOf(color, '#ffffff') < contrastOf(color, '#000000');
}

function fieldBackground(look: Look): string {
  return isDark(look) ? '#000000' : '#ffffff';
}

function fieldText(look: Look): string {
  return readableOn(fieldBackground(look), look.text);
}

const ESCAPED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '%': '&#37;',
  '[': '&#91;',
  ']': '&#93;',
};

/** For texts and attributes. Also what WordPress would take for a shortcode, and the blog for a place to fill in. */
function text(raw: string): string {
  return raw.replaceAll(/[&<>"'%[\]]/g, (sign) => ESCAPED[sign]!);
}
