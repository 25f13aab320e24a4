/** `/f/{key}.js`: the form for a page of a blog, and the script that makes it answer in place: widgets/form, as in WordPress. */
import { readFile } from 'node:fs/promises';
import { FORM_PLACEHOLDERS } from '#contract/plugin.ts';
import { printForm } from '#server/features/forms/print-form.ts';
import { escapeHtml } from '#server/platforms/email/letter.ts';
import { FORM_SCRIPT } from '#server/platforms/wordpress/plugin-package.ts';
import { FORM_PATH, type HostedDeps, type HostedForm, makeStamp } from './hosted-forms.ts';

/** Puts the form behind its script, in the language of the page, in the place of the link that is for readers without script. */
const EMBED = `({ address, forms, post }) => {
  const script = document.currentScript || document.querySelector('script[src^="' + address + '.js"]');
  if (!script) return;
  const parts = (language) => language.toLowerCase().split(/[-_]/);
  const wanted = parts(document.documentElement.lang);
  const { html } = forms.find((form) => parts(form.language).join() === wanted.join())
    || forms.find((form) => parts(form.language)[0] === wanted[0]) || forms[0];
  const page = (location.origin + location.pathname).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  script.insertAdjacentHTML('afterend', html.replaceAll(post, () => page));
  for (const link of script.parentNode.querySelectorAll('a[href^="' + address + '"]')) link.remove();
}`;

export async function embedScript(deps: HostedDeps, form: HostedForm): Promise<string> {
  const address = `${deps.config.baseUrl}${FORM_PATH}/${form.key}`;
  const forms = printForm(form).languages.map(({ language, html }) => {
    const sends = `${address}?${new URLSearchParams({ lang: language, version: String(form.version) })}`;
    const places = { action: sends, recipe: '', attempt: '', stamp: makeStamp(deps, form.key) };
    const filled = Object.entries(places).reduce(
      (printed, [place, value]) =>
        printed.replaceAll(FORM_PLACEHOLDERS[place as keyof typeof places], () => escapeHtml(value)),
      html,
    );
    return { language, html: filled.replace(' data-form=', ` data-submit="${escapeHtml(sends)}" data-form=`) };
  });
  const told = JSON.stringify({ address, forms, post: FORM_PLACEHOLDERS.post });
  return `(${EMBED})(${told});\n${await readFile(FORM_SCRIPT, 'utf8')}`;
}
