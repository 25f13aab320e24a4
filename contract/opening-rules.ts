/**
 * How a link gets out of an app's own browser and into the right app: which attempts are made in which app, on which system, for which
 * target, as data. They break several times a year, so each has its source and month, and whoever runs an installation may give
 * others (`OPENING_RULES`, docs/configuration.md). Sources: D the vendor's own page, C public code or issue, R repute, unverified.
 */
import * as z from 'zod/mini';
import { IN_APP_BROWSERS, type InAppBrowser, PHONE_SYSTEMS, type PhoneSystem } from '#contract/agents.ts';
import { AMAZON_MARKETPLACES } from '#contract/shops.ts';
import { parseAddress, type WebAddress } from '#contract/web-address.ts';

const Source = z.enum(['D', 'C', 'R']);
const Month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is written as 2026-09.'));
const Name = z.string().check(z.minLength(1), z.maxLength(60));
/** What runs a script or shows what somebody else wrote is no way into an app. */
const NO_WAY = /^(?:javascript|data|vbscript|file|blob|about|view-source|http):/i;
const WHERE = /^(?:\{scheme\}$|[a-z][a-z0-9+.-]{0,60}:[!-~]{0,400}$)/;

const Attempt = z.object({
  /**
   * With `{address}` (all behind `https://`), `{encoded}` (the whole address, percent-encoded), `{outside}` (`{address}` with the word
   * by which LINE leaves), `{package}` (of the target on Android), or nothing but `{scheme}` (the target's own on iOS). Left out where
   * the target has none.
   */
  to: z.string().check(
    z.regex(WHERE, 'Write an address with a scheme, or {scheme}.'),
    z.refine((to) => !NO_WAY.test(to), 'This scheme opens no app.'),
    z.refine((to) => /\{(?:scheme|address|encoded|outside)\}/.test(to), 'It must contain the address it leads to.'),
  ),
  /** `auto`: by itself, once a tab, the first of them that there is; `tap`: by the button, the next one with each tap. */
  start: z.enum(['auto', 'tap']),
  /** By going there, or by opening a window, which some apps treat differently. */
  by: z.enum(['going', 'window']),
  source: Source,
  month: Month,
});
type Attempt = z.infer<typeof Attempt>;

const Rule = z.object({
  apps: z.array(z.enum(IN_APP_BROWSERS)).check(z.minLength(1), z.maxLength(IN_APP_BROWSERS.length)),
  system: z.enum(PHONE_SYSTEMS),
  /** Ids of targets; null: any address. */
  targets: z.nullable(z.array(Name).check(z.minLength(1), z.maxLength(50))),
  attempts: z.array(Attempt).check(z.maxLength(6)),
});

const Target = z.object({
  id: Name,
  /** As people say it. */
  name: Name,
  /** With all below them. */
  hosts: z
    .array(z.string().check(z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'A host is written as shop.example.')))
    .check(z.minLength(1), z.maxLength(60)),
  /** Beginnings of paths that its app knows; null: all of them. */
  paths: z.nullable(z.array(z.string().check(z.regex(/^\/[!-~]*$/))).check(z.minLength(1), z.maxLength(30))),
  ios: z.nullable(
    z.string().check(
      z.regex(/^[a-z][a-z0-9+.-]{0,60}:[!-~]{0,200}$/),
      z.refine((to) => !NO_WAY.test(to) && /\{(?:address|encoded)\}/.test(to), 'It must contain the address.'),
    ),
  ),
  android: z.nullable(z.string().check(z.regex(/^[A-Za-z]\w*(\.\w+)+$/, 'A package is written as com.shop.app.'))),
});
export type OpeningTarget = z.infer<typeof Target>;

/** Where an app has the menu that opens its page elsewhere. */
const Menu = z.object({
  app: z.enum(IN_APP_BROWSERS),
  system: z.enum(PHONE_SYSTEMS),
  corner: z.enum(['top', 'bottom']),
  sign: z.enum(['dots', 'dots_below_each_other', 'arrow']),
  /** The entry to choose there. */
  entry: Name,
  month: Month,
});

export const OpeningRules = z.object({
  targets: z.array(Target).check(z.maxLength(200)),
  /** The first that fits counts. */
  rules: z.array(Rule).check(z.maxLength(200)),
  menus: z.array(Menu).check(z.maxLength(50)),
});
export type OpeningRules = z.infer<typeof OpeningRules>;

/** Written by whoever runs an installation; what it leaves out is as built in. */
export const OpeningRulesFile = z.partial(z.strictObject(OpeningRules.shape));

export type Opening = {
  target: Pick<OpeningTarget, 'id' | 'name'> | null;
  attempts: (Omit<Attempt, 'to'> & { href: string })[];
  menu: Pick<z.infer<typeof Menu>, 'corner' | 'sign' | 'entry'>;
};

/**
 * @param address an https one; every attempt leads there, with all of its query
 * @returns null: the app opens its own pages itself
 */
export function openingOf(
  { targets, rules, menus }: OpeningRules,
  { app, system, address }: { app: InAppBrowser; system: PhoneSystem; address: WebAddress },
): Opening | null {
  const target = targetOf({ targets }, address);
  if (target?.id === app) return null;
  const rule = rules.find(
    (one) =>
      one.system === system &&
      one.apps.includes(app) &&
      (one.targets === null || (target !== null && one.targets.includes(target.id))),
  );
  const there = (rule?.attempts ?? []).flatMap(({ to, ...attempt }) => {
    const href = fill(to, address, target);
    return href === null ? [] : [{ ...attempt, href }];
  });
  const itself = there.find(({ start }) => start === 'auto');
  const attempts = [...(itself === undefined ? [] : [itself]), ...there.filter(({ start }) => start === 'tap')];
  const menu = menus.find((one) => one.app === app && one.system === system) ?? UNKNOWN_MENU;
  return { target: target && { id: target.id, name: target.name }, attempts, menu };
}

/** Whose app opens it. */
export function targetOf({ targets }: Pick<OpeningRules, 'targets'>, address: WebAddress): OpeningTarget | null {
  return targets.find((one) => isOf(one, address)) ?? null;
}

function isOf({ hosts, paths }: OpeningTarget, { hostname, pathname }: WebAddress): boolean {
  return (
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)) &&
    (paths === null || paths.some((path) => pathname.startsWith(path)))
  );
}

function fill(to: string, address: WebAddress, target: OpeningTarget | null): string | null {
  if (to === '{scheme}') return target?.ios ? fill(target.ios, address, target) : null;
  if (to.includes('{package}') && !target?.android) return null;
  const parts: Record<string, string> = {
    address: address.href.slice('https://'.length),
    encoded: encodeURIComponent(address.href),
    outside: outsideOfLine(address),
    package: target?.android ?? '',
  };
  return to.replace(/\{(address|encoded|outside|package)\}/g, (_all, name: string) => parts[name]!);
}

function outsideOfLine(address: WebAddress): string {
  const outside = parseAddress(address.href)!;
  outside.searchParams.set('openExternalBrowser', '1');
  return outside.href.slice('https://'.length);
}

const UNKNOWN_MENU: Opening['menu'] = { corner: 'top', sign: 'dots', entry: 'Open in browser' };

const auto = (to: string, source: Attempt['source'], month: string): Attempt => ({
  ...{ to, start: 'auto', by: 'going', source, month },
});
const tap = (to: string, source: Attempt['source'], month: string): Attempt => ({
  ...{ to, start: 'tap', by: 'going', source, month },
});
const byWindow = (attempt: Attempt): Attempt => ({ ...attempt, by: 'window' });

// Chrome documents it; that other apps' browsers heed it is public code. The last `#` begins what is meant for Android [D].
const INTENT = 'intent://{address}#Intent;scheme=https;S.browser_fallback_url={encoded};end';
const INTENT_TO_APP = 'intent://{address}#Intent;scheme=https;package={package};S.browser_fallback_url={encoded};end';
const SAFARI = 'x-safari-https://{address}';

const ON_ANDROID = [INTENT_TO_APP, INTENT].map((to) => auto(to, 'C', '2026-09'));
ON_ANDROID.push(...[INTENT_TO_APP, INTENT].map((to) => tap(to, 'C', '2026-09')));

export const OPENING_RULES: OpeningRules = {
  targets: [
    {
      ...{ id: 'amazon', name: 'Amazon', hosts: Object.keys(AMAZON_MARKETPLACES), paths: null },
      ...{ ios: 'com.amazon.mobile.shopping.web://{address}', android: 'com.amazon.mShop.android.shopping' },
    },
    {
      ...{ id: 'youtube', name: 'YouTube', hosts: ['youtube.com', 'youtu.be'], paths: null },
      ...{ ios: 'youtube://{address}', android: 'com.google.android.youtube' },
    },
    app('instagram', 'Instagram', ['instagram.com'], 'com.instagram.android'),
    app('tiktok', 'TikTok', ['tiktok.com'], 'com.zhiliaoapp.musically'),
    app('facebook', 'Facebook', ['facebook.com', 'fb.watch'], 'com.facebook.katana'),
    app('pinterest', 'Pinterest', ['pinterest.com', 'pin.it'], 'com.pinterest'),
    app('spotify', 'Spotify', ['open.spotify.com', 'spotify.link'], 'com.spotify.music'),
    {
      ...app('walmart', 'Walmart', ['walmart.com'], 'com.walmart.android'),
      paths: ['/ip/', '/search', '/browse/', '/cp/', '/lists/'],
    },
    app('target', 'Target', ['target.com'], 'com.target.ui'),
    app('instacart', 'Instacart', ['instacart.com'], 'com.instacart.client'),
    app('ltk', 'LTK', ['shopltk.com', 'liketk.it'], 'com.rewardstyle.liketoknowit'),
    app('etsy', 'Etsy', ['etsy.com', 'etsy.me'], 'com.etsy.android'),
  ],
  rules: [
    {
      ...{ apps: ['instagram'], system: 'ios', targets: null },
      attempts: [
        // One report against; `x-safari-https` is blocked there since version 424 [C 2026-04].
        auto('instagram://extbrowser/?url={encoded}', 'C', '2026-09'),
        tap('{scheme}', 'R', '2026-09'),
        tap('instagram://extbrowser/?url={encoded}', 'C', '2026-09'),
      ],
    },
    {
      ...{ apps: ['threads'], system: 'ios', targets: null },
      attempts: [
        auto('barcelona://extbrowser/?url={encoded}', 'C', '2026-09'),
        byWindow(tap(SAFARI, 'C', '2026-04')),
        tap('barcelona://extbrowser/?url={encoded}', 'C', '2026-09'),
      ],
    },
    {
      // Not in advertisements that cover half of the screen [C 2025-09].
      ...{ apps: ['facebook', 'messenger'], system: 'ios', targets: null },
      attempts: [byWindow(auto(SAFARI, 'C', '2026-04')), byWindow(tap(SAFARI, 'C', '2026-04'))],
    },
    // Nothing works in any of them [C 2025-11 to 2026]: their menu and Copy.
    { apps: ['tiktok', 'snapchat', 'x'], system: 'ios', targets: null, attempts: [] },
    {
      ...{ apps: ['linkedin', 'telegram', 'pinterest'], system: 'ios', targets: null },
      attempts: [auto(SAFARI, 'C', '2024-12'), tap(SAFARI, 'C', '2024-12')],
    },
    {
      ...{ apps: ['line'], system: 'ios', targets: null },
      attempts: [auto, tap].map((start) => start('https://{outside}', 'R', '2026-09')),
    },
    { apps: [...IN_APP_BROWSERS], system: 'android', targets: null, attempts: ON_ANDROID },
  ],
  // Where each has it moves with their versions [R].
  menus: [
    ...both('instagram', 'top', 'dots', 'Open in external browser'),
    ...both('threads', 'top', 'dots', 'Open in external browser'),
    menu('facebook', 'ios', 'bottom', 'dots', 'Open in external browser'),
    menu('facebook', 'android', 'top', 'dots', 'Open in external browser'),
    menu('messenger', 'ios', 'bottom', 'dots', 'Open in external browser'),
    menu('messenger', 'android', 'top', 'dots_below_each_other', 'Open in external browser'),
    ...both('tiktok', 'top', 'dots', 'Open in browser'),
    menu('snapchat', 'ios', 'bottom', 'arrow', 'Open in Safari'),
    menu('snapchat', 'android', 'bottom', 'dots_below_each_other', 'Open in browser'),
    menu('x', 'ios', 'bottom', 'arrow', 'Open in Safari'),
    menu('x', 'android', 'top', 'dots_below_each_other', 'Open in Chrome'),
    ...both('linkedin', 'top', 'dots', 'Open in browser'),
    ...both('line', 'bottom', 'dots_below_each_other', 'Open in default browser'),
    ...both('telegram', 'top', 'dots_below_each_other', 'Open in browser'),
    ...both('pinterest', 'top', 'dots', 'Open in browser'),
    menu('other', 'android', 'top', 'dots_below_each_other', 'Open in browser'),
  ],
};

/** One that its own system knows by its address, once outside [D]; a scheme of its own that takes any address it has not. */
function app(id: string, name: string, hosts: string[], android: string): OpeningTarget {
  return { id, name, hosts, paths: null, ios: null, android };
}

type Sign = Opening['menu']['sign'];

function menu(app: InAppBrowser, system: PhoneSystem, corner: 'top' | 'bottom', sign: Sign, entry: string) {
  return { app, system, corner, sign, entry, month: '2026-09' };
}

function both(app: InAppBrowser, corner: 'top' | 'bottom', sign: Sign, entry: string) {
  return PHONE_SYSTEMS.map((system) => menu(app, system, corner, sign, entry));
}
