import type { Live, PersonView, Player, ThreadView } from './control.ts';
import { Go, Portrait, Trouble } from './parts.tsx';
import type { Place } from './place.ts';
import { ago } from './words.ts';

/** Conversations; a follower has message requests apart, where strangers' messages wait. */
export function Inbox(props: { here: Place; player: Player; threads: Live<ThreadView[]>; people: PersonView[] }) {
  const { here, player, threads, people } = props;
  const base = { as: here.as, account: here.account };
  const folder = here.messages === 'requests' && player.kind === 'follower' ? 'requests' : 'inbox';
  const inFolder = (threads.value ?? []).filter((thread) => player.kind === 'owner' || thread.folder === folder);
  const requests = (threads.value ?? []).filter((thread) => thread.folder === 'requests').length;
  return (
    <>
      <header className="top">
        <h2>Messages</h2>
      </header>
      {player.kind === 'follower' && (
        <nav className="folders" aria-label="Folders">
          <Go to={{ ...base, messages: 'inbox' }} current={folder === 'inbox'}>
            Inbox
          </Go>
          <Go to={{ ...base, messages: 'requests' }} current={folder === 'requests'}>
            Requests{requests > 0 ? ` (${requests})` : ''}
          </Go>
        </nav>
      )}
      {threads.error !== undefined && <Trouble reason={threads.error} retry={threads.reload} />}
      {!threads.value && threads.error === undefined && (
        <p className="centred" role="status">
          Loading messages…
        </p>
      )}
      {threads.value && inFolder.length === 0 && (
        <p className="centred">
          {folder === 'requests'
            ? 'No requests. Messages from accounts you don’t follow show up here.'
            : 'No messages yet. Comment on a post and wait for a reply.'}
        </p>
      )}
      <ul className="threads" aria-label={folder === 'requests' ? 'Message requests' : 'Conversations'}>
        {inFolder.map((thread) => (
          <ThreadRow
            key={`${thread.accountId} ${thread.personId}`}
            thread={thread}
            base={base}
            player={player}
            people={people}
          />
        ))}
      </ul>
    </>
  );
}

function ThreadRow({
  thread,
  base,
  player,
  people,
}: {
  thread: ThreadView;
  base: Place;
  player: Player;
  people: PersonView[];
}) {
  const person = people.find((one) => one.personId === thread.personId);
  const owner = player.kind === 'owner';
  const last = thread.messages.at(-1);
  const mine = last !== undefined && (last.from === 'person') !== owner;
  const text = last === undefined ? '' : last.deleted ? 'Message unsent' : last.text || 'Attachment';
  return (
    <li>
      <Go
        to={{ ...base, messages: thread.folder, thread: owner ? thread.personId : thread.accountId }}
        className={thread.unread > 0 ? 'thread unread' : 'thread'}
      >
        <Portrait url={owner ? (person?.pictureUrl ?? '') : thread.accountPicture} size={52} />
        <span className="thread-text">
          <bdi>{owner ? (person?.name ?? thread.personId) : thread.accountName}</bdi>
          <span dir="auto">
            {mine ? 'You: ' : ''}
            {text}
          </span>
        </span>
        <span className="thread-side">
          <time dateTime={new Date(thread.updatedAt).toISOString()}>{ago(thread.updatedAt)}</time>
          {thread.unread > 0 && (
            <span className="badge">
              {thread.unread}
              <span className="unseen"> unread</span>
            </span>
          )}
        </span>
      </Go>
    </li>
  );
}
