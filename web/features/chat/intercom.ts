/**
 * Live chat by Intercom. Its script is fetched from Intercom when the page has settled; calls made before it arrives wait
 * in a queue that it takes over (Intercom's own loader contract: a function with a `q` of arguments).
 */
import { SPEC_NUMBERS } from '#web/ui/spec-numbers.ts';

type IntercomCall = ((...call: unknown[]) => void) & { q?: unknown[][] };
declare global {
  interface Window {
    Intercom?: IntercomCall;
    intercomSettings?: Record<string, unknown>;
  }
}

export type ChatPerson = { appId: string; userId: string; userHash: string | null; name: string; email: string };

/** The launcher would cover our buttons; a new version of the widget may draw it again at any time. */
const LAUNCHERS = '.intercom-launcher, .intercom-lightweight-app-launcher, .intercom-launcher-frame';

let recheckTimer: ReturnType<typeof setInterval> | undefined;

/** Boots the widget for a person, its own launcher hidden. */
export function startChat(person: ChatPerson): void {
  const settings = {
    app_id: person.appId,
    user_id: person.userId,
    ...(person.userHash !== null && { user_hash: person.userHash }),
    name: person.name,
    email: person.email,
    hide_default_launcher: true,
  };
  window.intercomSettings = settings;
  if (!window.Intercom) {
    const waiting: IntercomCall = (...call) => void waiting.q?.push(call);
    waiting.q = [];
    window.Intercom = waiting;
    const script = document.createElement('script');
    script.async = true;
    script.src = `https://widget.intercom.io/widget/${encodeURIComponent(person.appId)}`;
    // Blocked or offline: the next press tries again.
    script.onerror = () => {
      script.remove();
      delete window.Intercom;
    };
    document.head.append(script);
  }
  window.Intercom('boot', settings);
  clearInterval(recheckTimer);
  recheckTimer = setInterval(hideLauncher, SPEC_NUMBERS.chatLauncher.recheckMs);
}

function hideLauncher(): void {
  for (const launcher of document.querySelectorAll<HTMLElement>(LAUNCHERS)) {
    if (launcher.style.display !== 'none') launcher.style.setProperty('display', 'none', 'important');
  }
}

/** @returns false when the widget could not be fetched */
export function openChat(): boolean {
  if (!window.Intercom) return false;
  window.Intercom('show');
  return true;
}

/** On logging out: the next person at this browser must not see the conversation. */
export function endChat(): void {
  clearInterval(recheckTimer);
  recheckTimer = undefined;
  window.Intercom?.('shutdown');
}
