import { useEffect, useRef } from 'react';
import type { Player } from './control.ts';
import { type AccountView, control, type PersonView, type ThreadView, useLive } from './control.ts';
import { Message } from './Message.tsx';
import { Back, Composer, Portrait, Trouble } from './parts.tsx';
import { go, type Place } from './place.ts';
import { clockTime } from './words.ts';

/** One conversation. A follower who opens it has seen it, and the account is told so; a request is seen once it is accepted. */
export function Thread(props: { here: Place; account: AccountView; player: Player; people: PersonView[] }) {
  const { here, account, player, people } = props;
  const owner = player.kind === 'owner';
  const personId = owner ? here.thread! : player.person.personId;
  const accountId = owner ? account.accountId : here.thread!;
  const thread = useLive(
    `thread ${personId} ${accountId}`,
    () => control.thread(personId, accountId),
    (event) => event.personId === personId && event.accountId === accountId,
  );
  const { value } = thread;
  const end = useRef<HTMLDivElement>(null);
  const messageCount = value?.messages.length ?? 0;
  useEffect(() => {
    const screen = end.current?.closest('.screen');
    if (messageCount > 0) screen?.scrollTo({ top: screen.scrollHeight });
  }, [messageCount]);
  const toRead = !owner && value !== undefined && value.unread > 0 && value.folder === 'inbox';
  useEffect(() => {
    if (!toRead) return;
    const read = () => {
      if (document.visibilityState === 'visible') void control.read({ accountId, personId });
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [toRead, accountId, personId]);

  const back = { as: here.as, account: here.account, messages: here.messages ?? 'inbox' };
  if (!value) {
    return (
      <>
        <Back to={back} title="Messages" />
        {thread.error === undefined ? (
          <p className="centred" role="status">
            Loading the conversation…
          </p>
        ) : (
          <Trouble reason={thread.error} retry={thread.reload} />
        )}
      </>
    );
  }
  const person = people.find((one) => one.personId === personId);
  const blocked = person?.relations.find((one) => one.accountId === accountId)?.blocked ?? false;
  const send = async (text: string) => {
    await (owner ? control.ownerMessage : control.message)({ accountId, personId, text });
    thread.reload();
  };
  return (
    <div className="thread-page">
      <Back to={back} title="Conversation">
        <Portrait url={owner ? (person?.pictureUrl ?? '') : value.accountPicture} size={36} />
        <h2>
          <bdi>{owner ? (person?.name ?? personId) : value.accountName}</bdi>
          {!owner && value.accountUsername !== '' && <small className="handle">{value.accountUsername}</small>}
        </h2>
        {!owner && (
          <button
            type="button"
            className="quiet"
            aria-pressed={blocked}
            onClick={() => void control.setRelation(personId, accountId, { blocked: !blocked })}
          >
            {blocked ? 'Unblock' : 'Block'}
          </button>
        )}
      </Back>
      <ol className="messages" aria-label="Conversation" aria-live="polite">
        {value.messages.map((message, index) => (
          <li key={message.messageId}>
            {startsAnew(value, index) && <p className="when">{clockTime(message.at)}</p>}
            <Message
              message={message}
              mine={(message.from === 'person') !== owner}
              personId={owner ? undefined : personId}
            />
          </li>
        ))}
      </ol>
      <SeenMark thread={value} owner={owner} />
      <div ref={end} />
      <div className="dock">
        {!owner && blocked ? (
          <p className="centred">You blocked this account. You won’t get its messages.</p>
        ) : !owner && value.folder === 'requests' ? (
          <Request thread={value} here={here} />
        ) : (
          <Composer label="Write a message" button="Send" send={send} />
        )}
      </div>
    </div>
  );
}

/** A pause of an hour begins a new stretch of the conversation. */
function startsAnew(thread: ThreadView, index: number): boolean {
  const before = thread.messages[index - 1];
  return before === undefined || thread.messages[index]!.at - before.at > 3_600_000;
}

function SeenMark({ thread, owner }: { thread: ThreadView; owner: boolean }) {
  const last = thread.messages.at(-1);
  if (!owner || last?.from !== 'account' || last.seenAt === null) return null;
  return <p className="seen">Seen {clockTime(last.seenAt)}</p>;
}

function Request({ thread, here }: { thread: ThreadView; here: Place }) {
  const { personId, accountId } = thread;
  return (
    <div className="request">
      <p>
        <strong>{thread.accountName}</strong> wants to send you messages. They won’t know you’ve seen this until you
        accept.
      </p>
      <div>
        <button
          type="button"
          className="plain"
          onClick={() => go({ as: here.as, account: here.account, messages: 'requests' })}
        >
          Not now
        </button>
        <button
          type="button"
          className="strong"
          onClick={() => void control.setRelation(personId, accountId, { folder: 'inbox' })}
        >
          Accept
        </button>
      </div>
    </div>
  );
}
