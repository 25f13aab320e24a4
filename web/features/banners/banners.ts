/** Which banners are true right now, most urgent first (spec section 8). Texts in quotes there stand here as they are. */
import type { ResponseOf } from '#contract/endpoint.ts';
import { needsUpgrade } from '#contract/plans.ts';
import type { Me } from '#contract/session.ts';
import type { getApiKey } from '#contract/settings.ts';
import type { Invite } from '#contract/team.ts';
import { pluginBanner as dueBanner } from '#contract/versions.ts';
import { limitWords } from '#web/features/plans/limit-words.ts';
import { paths, settingsPath } from '#web/paths.ts';
import type { AlertVariant } from '#web/ui/Alert.tsx';
import { dayOf, momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

type ApiKey = Pick<ResponseOf<typeof getApiKey>, 'pluginVersion' | 'expectedPluginVersion'>;

export type Banner = {
  id:
    | 'requires-auth'
    | 'payment-due'
    | 'policy-blocked'
    | 'deletion'
    | 'meta-authentication'
    | 'missing-grants'
    | 'tools-to-reconnect'
    | 'mail-server'
    | 'paused-webhooks'
    | 'rate-limited'
    | 'free-plan-limit'
    | 'invites'
    | 'plugin-update'
    | 'plugin-missing';
  variant: AlertVariant;
  text: string;
  /** Details the spec leaves open: numbers, next steps. */
  detail?: string;
  action?: BannerAction;
  /** Nothing is lost when it is put away for this session. */
  dismissible: boolean;
};

export type BannerAction = { label: string } & ({ to: string } | { opens: 'invites' | 'plugin-download' });

const PRODUCT = 'Creator HQ';

/** @param apiKey null while unknown. @param invites null while unknown. Unknown things give no banner, so none flickers. */
export function bannersFor(me: Me, apiKey: ApiKey | null, invites: readonly Invite[] | null, nowMs: number): Banner[] {
  return [
    requiresAuth(me),
    paymentDue(me),
    policyBlocked(me),
    deletion(me, nowMs),
    metaAuthentication(me),
    missingGrants(me),
    toolsToReconnect(me),
    mailServer(me),
    pausedWebhooks(me),
    rateLimited(me, nowMs),
    freePlanLimit(me),
    // Invites are a person's own: support inside an account has no business with theirs there.
    invites && me.adminAccess === null ? pendingInvites(me, invites) : null,
    apiKey && pluginBanner(apiKey),
  ].filter((banner) => banner !== null);
}

function requiresAuth(me: Me): Banner | null {
  if (!details(me).some((detail) => detail.requiresAuth)) return null;
  return {
    id: 'requires-auth',
    variant: 'error',
    text: 'Your account needs to be reconnected.',
    detail: 'Reconnect the account in Settings so DMs resume.',
    action: { label: 'Reconnect', to: settingsPath('connections') },
    dismissible: false,
  };
}

/** Not in the observed product. The button is for whoever may pay. */
function paymentDue({ billing, role }: Me): Banner | null {
  if (!billing || billing.payNeeded === null) return null;
  const { standing, until, retryAt } = billing;
  if (standing !== 'late' && standing !== 'lapsed') return null;
  const again = retryAt === null ? '' : `We try again on ${dayOf(retryAt)}. `;
  const then =
    standing === 'late' && until !== null
      ? `Everything works until ${dayOf(until)}.`
      : 'Until it’s paid, the rules of the free plan apply.';
  return {
    id: 'payment-due',
    variant: 'error',
    text: 'Your last payment did not go through.',
    detail: again + then,
    ...(role === 'owner' && { action: { label: 'Pay now', to: settingsPath('plan') } }),
    dismissible: false,
  };
}

function policyBlocked(me: Me): Banner | null {
  if (!details(me).some((detail) => detail.policyBlocked)) return null;
  return {
    id: 'policy-blocked',
    variant: 'error',
    text: 'Meta has blocked your Page from sending messages.',
    detail: 'See why and what to do in Settings.',
    action: { label: 'Go to Settings', to: settingsPath('connections') },
    dismissible: false,
  };
}

/** While it lasts nothing is answered, so it must not be missed by anybody who works here. */
function deletion({ creatorAccount, role }: Me, nowMs: number): Banner | null {
  if (!creatorAccount || creatorAccount.deleteAt === null) return null;
  const { handle, deleteAt } = creatorAccount;
  const banner = { id: 'deletion', variant: 'error', dismissible: false } as const;
  if (Date.parse(deleteAt) <= nowMs) {
    return { ...banner, text: `@${handle} is being deleted now.`, detail: 'This can’t be undone anymore.' };
  }
  const until = momentOf(deleteAt, nowMs);
  return {
    ...banner,
    text: `@${handle} will be deleted. Its automations are off until then.`,
    detail: `${role === 'owner' ? 'You' : 'An owner'} can cancel this until ${until} in Settings > Privacy & data.`,
    action: { label: 'Go to Settings', to: settingsPath('data') },
  };
}

function metaAuthentication(me: Me): Banner | null {
  const { FACEBOOK_BUSINESS_PAGE: page, INSTAGRAM_BUSINESS_USER: instagram } = me.tokenDetails;
  const pageAlone = page !== undefined && instagram === undefined;
  if (!pageAlone && !details(me).some((detail) => detail.needsFacebookUserToken)) return null;
  return {
    id: 'meta-authentication',
    variant: 'warning',
    text: 'Action Required... Reconnect now in Settings',
    detail: 'Meta has updated how accounts are authenticated.',
    action: { label: 'Reconnect', to: settingsPath('connections') },
    dismissible: false,
  };
}

function missingGrants(me: Me): Banner | null {
  const permissions = details(me).some((detail) => detail.missingPermissions.length > 0);
  const webhooks = details(me).some((detail) => detail.missingWebhooks.length > 0);
  if (!permissions && !webhooks) return null;
  const what = [permissions && 'permissions', webhooks && 'webhooks'].filter(Boolean).join(' and ');
  return {
    id: 'missing-grants',
    variant: 'warning',
    text: `Your account is missing ${what}.`,
    detail: 'Go to Settings to reconnect.',
    action: { label: 'Go to Settings', to: settingsPath('connections') },
    dismissible: false,
  };
}

function toolsToReconnect({ toolsToReconnect: tools, role }: Me): Banner | null {
  if (tools.length === 0) return null;
  return {
    id: 'tools-to-reconnect',
    variant: 'warning',
    text: `${tools.join(' and ')} ${tools.length === 1 ? 'needs' : 'need'} to be reconnected.`,
    detail: `Contacts wait here until ${role === 'owner' ? 'you reconnect' : 'an owner reconnects'} in Settings.`,
    action: { label: 'Reconnect', to: settingsPath('other-tools') },
    dismissible: false,
  };
}

function mailServer({ mailServerFails, role }: Me): Banner | null {
  if (!mailServerFails) return null;
  return {
    id: 'mail-server',
    variant: 'error',
    text: 'Your mail server doesn’t take your emails.',
    detail: `Emails to your readers wait until ${role === 'owner' ? 'you check it' : 'an owner checks it'} under Save to Email > Sending.`,
    action: { label: 'Check mail server', to: paths.sending },
    dismissible: false,
  };
}

function pausedWebhooks(me: Me): Banner | null {
  const instagram = details(me).some(({ pauseWebhooks }) => pauseWebhooks.instagram);
  const facebook = details(me).some(({ pauseWebhooks }) => pauseWebhooks.facebook);
  if (!instagram && !facebook) return null;
  const where = [instagram && 'Instagram', facebook && 'Facebook'].filter(Boolean).join(' and ');
  return {
    id: 'paused-webhooks',
    variant: 'warning',
    text: `Comments and messages from ${where} are paused right now.`,
    detail: 'The issue is being resolved. Paused comments and messages are sent retroactively.',
    dismissible: true,
  };
}

function rateLimited(me: Me, nowMs: number): Banner | null {
  if (!details(me).some((detail) => detail.rateLimited)) return null;
  const words = me.queue && me.queue.waiting > 0 ? queueWords(me.queue, nowMs) : undefined;
  return {
    id: 'rate-limited',
    variant: 'infoSecondary',
    text: 'Congrats on going viral! DM sends are currently being rate limited by the platform... delays are to be expected',
    ...(words && { detail: words }),
    dismissible: true,
  };
}

function queueWords({ waiting, doneAt }: NonNullable<Me['queue']>, nowMs: number): string {
  const messages = waiting === 1 ? '1 message is waiting' : `${numerals(waiting)} messages are waiting`;
  if (doneAt === null) return `${messages}; sending resumes when the platform allows it.`;
  return `${messages}; all sent by ${momentOf(doneAt, nowMs)}.`;
}

function freePlanLimit(me: Me): Banner | null {
  const { creatorAccount, subscription } = me;
  if (!creatorAccount || !subscription) return null;
  const followers = (creatorAccount.instagramFollowersCount ?? 0) + (creatorAccount.facebookFollowersCount ?? 0);
  if (!needsUpgrade({ isFree: subscription.isFree, followers })) return null;
  const detail = me.billing && limitWords(me.billing.limit);
  return {
    id: 'free-plan-limit',
    variant: 'warning',
    text: `Our free plan is for creators with under 25K followers... Your current follower count is ${numerals(followers)}`,
    ...(detail && { detail }),
    action: { label: 'Upgrade Now', to: paths.planUpgrade },
    dismissible: false,
  };
}

/** Without any membership the dialog opens by itself instead. */
function pendingInvites(me: Me, invites: readonly Invite[]): Banner | null {
  const [first] = invites;
  if (!first || me.memberships.length === 0) return null;
  return {
    id: 'invites',
    variant: 'info',
    text:
      invites.length === 1
        ? `You’re invited to work on @${first.creatorAccountHandle}.`
        : `You have ${invites.length} pending invites.`,
    action: { label: invites.length === 1 ? 'View invite' : 'View invites', opens: 'invites' },
    dismissible: true,
  };
}

/** Shown when an expected version exists and the installed one is lower or missing. */
export function pluginBanner(apiKey: ApiKey): Banner | null {
  const due = dueBanner(apiKey);
  if (due === null) return null;
  if (due === 'not_registered') {
    return {
      id: 'plugin-missing',
      variant: 'info',
      text: `Action Required: Your current API Key has not been registered to the ${PRODUCT} WordPress Plugin. In order for the plugin to function, you must install and activate the plugin to your WordPress site, then paste in the API Key under ${PRODUCT} plugin settings in WordPress admin.`,
      action: { label: 'Get WordPress Plugin', opens: 'plugin-download' },
      dismissible: true,
    };
  }
  return {
    id: 'plugin-update',
    variant: 'info',
    text: `Action Required: There is a new version of the ${PRODUCT} WordPress Plugin. To get all the latest features please update to the latest version.`,
    action: { label: 'Update WordPress Plugin', opens: 'plugin-download' },
    dismissible: true,
  };
}

function details(me: Me) {
  return Object.values(me.tokenDetails);
}
