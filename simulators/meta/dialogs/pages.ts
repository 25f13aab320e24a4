import type { LoginFlavour } from '../control/types.ts';
import type { Account, FacebookUser } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { accountObstacle, askableScopes, assetsOf, type ConsentRequest } from './consent.ts';

const NEEDS: Record<string, string> = {
  instagram_business_basic: 'Access profile and posts',
  instagram_business_manage_messages: 'Access and manage messages',
  instagram_business_manage_comments: 'Access and manage comments',
  instagram_business_content_publish: 'Publish content',
  instagram_business_manage_insights: 'Access insights',
  public_profile: 'Name and profile picture',
  email: 'Email address',
  business_management: 'Manage your business',
  pages_show_list: 'Show a list of the Pages you manage',
  pages_read_engagement: 'Read content posted on the Page',
  pages_read_user_content: 'Read user content on your Page',
  pages_manage_metadata: 'Manage settings and webhooks of your Page',
  pages_manage_engagement: 'Create and manage comments on your Page',
  pages_messaging: 'Manage and access Page conversations in Messenger',
  instagram_basic: 'Access profile and posts of the Instagram account connected to your Page',
  instagram_manage_comments: 'Manage comments of the Instagram account',
  instagram_manage_messages: 'Manage messages of the Instagram account',
  instagram_manage_insights: 'Access insights of the Instagram account',
};

/** Step 1: who sits there. `self` is the dialog's own address with its query. */
export function choosePersonPage(world: World, flavour: LoginFlavour, self: string): string {
  const choices =
    flavour === 'instagram'
      ? [...world.accounts.values()]
          .filter((account) => account.platform === 'instagram')
          .map((account) => ({
            id: account.id,
            title: account.username,
            detail: account.name,
            picture: account.picture,
          }))
      : [...world.users.values()].map((user) => ({
          id: user.id,
          title: user.name,
          detail: user.email,
          picture: `/pictures/person-${user.id}.jpg`,
        }));
  const items = choices
    .map(
      (choice) => `<li><a class="choice" href="${escapeHtml(`${self}&as=${choice.id}`)}">
        <img src="${escapeHtml(world.absolute(choice.picture))}" alt="" width="44" height="44"><span><strong>${escapeHtml(choice.title)}</strong><br><small>${escapeHtml(choice.detail)}</small></span></a></li>`,
    )
    .join('');
  const empty = '<p>Nobody lives here yet. Make an account through the control API first.</p>';
  return page(
    flavour,
    flavour === 'instagram' ? 'Which account is yours?' : 'Who are you?',
    choices.length === 0 ? empty : `<ul>${items}</ul>`,
  );
}

/** Step 2 of Instagram: allow, with scopes to untick. */
export function instagramConsentPage(world: World, request: ConsentRequest, account: Account, self: string): string {
  const obstacle = accountObstacle(account);
  if (obstacle) return mistakePage('instagram', obstacle);
  const optional = request.scopes.filter((scope) => scope !== 'instagram_business_basic');
  return page(
    'instagram',
    `${world.app.name} would like to access your account`,
    `<form method="post" action="${escapeHtml(self)}"><p>Logged in as <strong>${escapeHtml(account.username)}</strong></p>
     <fieldset><legend>It will be able to</legend><p class="fixed">${escapeHtml(NEEDS.instagram_business_basic!)} (required)</p>${scopeBoxes(optional)}</fieldset>${buttons('Allow')}</form>`,
  );
}

/** Step 2 of Facebook: Pages, Instagram accounts and scopes, each list by itself. */
export function facebookConsentPage(world: World, request: ConsentRequest, user: FacebookUser, self: string): string {
  const { pages, instagramAccounts } = assetsOf(world, user);
  const assets = (legend: string, name: string, accounts: Account[]) =>
    accounts.length === 0
      ? ''
      : `<fieldset><legend>${legend}</legend>${accounts.map((account) => box(name, account.id, account.platform === 'instagram' ? `@${account.username}` : account.name)).join('')}</fieldset>`;
  return page(
    'facebook',
    `Continue as ${user.name.split(' ')[0]}?`,
    `<form method="post" action="${escapeHtml(self)}"><p>${escapeHtml(world.app.name)} asks for access. Untick what you do not want to share.</p>
     ${assets('Pages', 'page', pages)}${assets('Instagram accounts', 'instagram', instagramAccounts)}
     <fieldset><legend>It will be able to</legend>${scopeBoxes(askableScopes(request, user).filter((scope) => scope !== 'public_profile'))}</fieldset>${buttons('Continue')}</form>`,
  );
}

export function mistakePage(flavour: LoginFlavour, message: string): string {
  return page(flavour, 'Sorry, something went wrong', `<p role="alert">${escapeHtml(message)}</p>`);
}

function scopeBoxes(scopes: readonly string[]): string {
  return scopes.map((scope) => box('scope', scope, NEEDS[scope] ?? scope)).join('');
}

function box(name: string, value: string, label: string): string {
  return `<label><input type="checkbox" name="${name}" value="${escapeHtml(value)}" checked> <span>${escapeHtml(label)}</span></label>`;
}

function buttons(allow: string): string {
  return `<div class="buttons"><button name="decision" value="allow">${allow}</button><button name="decision" value="deny" class="quiet">Cancel</button></div>`;
}

function page(flavour: LoginFlavour, title: string, body: string): string {
  const accent = flavour === 'instagram' ? '#c2255c' : '#1864ab';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f1f3f5,#141517)}
main{box-sizing:border-box;width:min(28rem,100%);padding:1.75rem;background:light-dark(#fff,#212529);border-top:4px solid ${accent};border-radius:12px;box-shadow:0 8px 30px #0002}
h1{font-size:1.25rem;margin:0 0 1rem}small{opacity:.75}ul{list-style:none;margin:0;padding:0}fieldset{border:1px solid light-dark(#ced4da,#495057);border-radius:8px;margin:0 0 1rem;padding:.5rem 1rem}legend{font-weight:600}
label,.choice{display:flex;gap:.75rem;align-items:center;padding:.5rem 0;min-height:1.75rem}.choice{color:inherit;text-decoration:none;border-radius:8px;padding:.5rem}.choice:hover,.choice:focus-visible{background:light-dark(#f1f3f5,#343a40)}
.choice img{border-radius:50%;object-fit:cover}.fixed{margin:.5rem 0}input{width:1.15rem;height:1.15rem;flex:none;accent-color:${accent}}.buttons{display:grid;gap:.5rem}
button{font:inherit;font-weight:600;padding:.75rem;border:0;border-radius:8px;background:${accent};color:#fff;cursor:pointer}.quiet{background:transparent;color:inherit;border:1px solid light-dark(#868e96,#adb5bd)}
header{font-size:.85rem;font-weight:600;margin:0 0 .75rem;color:light-dark(${accent},#ffa8c5)}</style></head>
<body><main><header>Simulated ${flavour === 'instagram' ? 'Instagram' : 'Facebook'}: nothing here is real</header><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
