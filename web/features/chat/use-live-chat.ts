import { useEffect } from 'react';
import type { Me } from '#contract/session.ts';
import { type ChatPerson, endChat, openChat, startChat } from '#web/features/chat/intercom.ts';
import { whenIdle } from '#web/shell/idle.ts';
import { useEnv } from '#web/shell/session.ts';
import { showToast } from '#web/ui/toast.ts';

/** How to open the live chat; null where there is none: no app id is configured, or the person is an admin. */
export function useLiveChat({ account, intercomUserHash }: Me): (() => void) | null {
  const appId = useEnv().data?.intercomAppId ?? null;
  const { _id: userId, name, email } = account;
  const wanted = appId !== null && !account.isAdmin;

  useEffect(() => {
    if (!wanted) return;
    const person: ChatPerson = { appId, userId, userHash: intercomUserHash, name, email };
    const callOff = whenIdle(() => startChat(person));
    return () => {
      callOff();
      endChat();
    };
  }, [wanted, appId, userId, intercomUserHash, name, email]);

  if (!wanted) return null;
  return () => {
    // Nothing there yet: pressed before the page had settled, or the script did not come the last time.
    if (!window.Intercom) startChat({ appId, userId, userHash: intercomUserHash, name, email });
    if (!openChat()) showToast({ tone: 'error', title: 'Error', detail: 'Live chat couldn’t be loaded' });
  };
}
