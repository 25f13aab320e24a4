/** Facts a tag manager gets about the person signed in: identity, plan, links into the admin area. Never an address. */
import type { Me } from '#contract/session.ts';
import { paths } from '#web/paths.ts';

type LayerEvent = { event: string } & Record<string, unknown>;
declare global {
  interface Window {
    dataLayer?: LayerEvent[];
  }
}

/** Values in a data layer persist until they are overwritten: hence every field, every time. */
export function identityEvent({ account, creatorAccount, subscription, adminAccess }: Me, baseUrl: string): LayerEvent {
  const admin = (path: string, query: Record<string, string>) => `${baseUrl}${path}?${new URLSearchParams(query)}`;
  return {
    event: 'identity',
    user_id: account._id,
    is_admin: account.isAdmin,
    admin_access: adminAccess !== null,
    creator_id: creatorAccount?._id ?? null,
    creator_handle: creatorAccount?.handle ?? null,
    plan_id: subscription?.plan.productId ?? null,
    plan_name: subscription?.plan.name ?? null,
    plan_interval: subscription?.interval ?? null,
    plan_status: subscription?.status ?? null,
    plan_is_free: subscription?.isFree ?? null,
    admin_creator_url: creatorAccount ? admin(paths.admin, { search: creatorAccount.handle }) : null,
    admin_audit_url: creatorAccount ? admin(paths.adminAudit, { creatorId: creatorAccount._id }) : null,
  };
}

/** After logging out nothing of the person is left. */
export const NOBODY: LayerEvent = {
  event: 'identity',
  ...Object.fromEntries(
    [
      'user_id',
      'is_admin',
      'admin_access',
      'creator_id',
      'creator_handle',
      'plan_id',
      'plan_name',
      'plan_interval',
      'plan_status',
      'plan_is_free',
      'admin_creator_url',
      'admin_audit_url',
    ].map((name) => [name, null]),
  ),
};

/** The address without its query: a query may hold a search, a name, a token. */
export function pageViewEvent(pathname: string): LayerEvent {
  return { event: 'page_view', page_path: pathname };
}

export function push(event: LayerEvent): void {
  window.dataLayer ??= [];
  window.dataLayer.push(event);
}

/** Fetches the tag manager's script, once. */
export function startTagManager(tagManagerId: string, nowMs: number): void {
  const id = 'tag-manager';
  if (document.getElementById(id)) return;
  push({ 'gtm.start': nowMs, event: 'gtm.js' });
  const script = document.createElement('script');
  script.id = id;
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtm.js?${new URLSearchParams({ id: tagManagerId })}`;
  document.head.append(script);
}
