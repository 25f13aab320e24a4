import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { ConnectedApps } from './ConnectedApps.tsx';
import type { Player } from './control.ts';
import { type AccountView, control, type PersonView, useLive } from './control.ts';
import { Feed } from './Feed.tsx';
import { Inbox } from './Inbox.tsx';
import { PostPage } from './PostPage.tsx';
import { Go, Portrait, Trouble } from './parts.tsx';
import { go, type Place, usePlace } from './place.ts';
import { StoryPage } from './Stories.tsx';
import { Thread } from './Thread.tsx';
import { useThreads } from './threads.ts';

export function App() {
  const place = usePlace();
  const accounts = useLive('accounts', control.accounts, (event) => event.type === 'account');
  const people = useLive('people', control.people, (event) => event.type === 'person');
  const error = accounts.error ?? people.error;
  if (error !== undefined && !accounts.value) {
    return <Trouble reason={error} retry={() => [accounts.reload(), people.reload()]} />;
  }
  if (!accounts.value || !people.value)
    return (
      <p className="centred" role="status">
        Turning on the phone…
      </p>
    );

  const creators = accounts.value.filter((account) => account.mediaCount > 0 && account.accountType !== 'PERSONAL');
  const account =
    creators.find((one) => one.accountId === place.account || one.username === place.account) ??
    creators.toSorted((a, b) => b.followersCount - a.followersCount)[0];
  const players = people.value.filter((person) => !person.personId.startsWith('crowd-'));
  const person = players.find((one) => one.personId === place.as) ?? players[0];
  if (!account || !person) {
    return (
      <p className="centred">There’s no one to play yet: this simulator has no creator with posts, or no followers.</p>
    );
  }
  const player: Player = place.as === 'owner' ? { kind: 'owner' } : { kind: 'follower', person };
  const as = player.kind === 'owner' ? 'owner' : person.personId;
  const here: Place = { ...place, as, account: account.accountId };
  return (
    <div className="desk">
      <Explanation here={here} account={account} creators={creators} players={players} player={player} />
      <div className="device">
        <PlayerBar here={here} account={account} creators={creators} players={players} player={player} />
        <Screen
          key={`${as} ${account.accountId}`}
          here={here}
          account={account}
          people={people.value}
          player={player}
        />
      </div>
    </div>
  );
}

/** Beside the phone, on screens with room: what this is, and who can be played. */
function Explanation(props: {
  here: Place;
  account: AccountView;
  creators: AccountView[];
  players: PersonView[];
  player: Player;
}) {
  const { here, account, creators, players, player } = props;
  return (
    <aside className="explanation">
      <h1>{player.kind === 'owner' ? 'You’re playing the creator' : 'You’re playing a follower'}</h1>
      {player.kind === 'owner' ? (
        <p>This is {account.name}'s own app. Comment and reply here yourself to see Creator HQ pause automations.</p>
      ) : (
        <p>
          Open a post by {account.name}, write a comment and check your messages. Creator HQ hears about everything you
          do here as if it came from Instagram. Nothing leaves this machine.
        </p>
      )}
      <h2>Who are you?</h2>
      <ul className="players">
        {players.map((one) => {
          const follows = one.relations.find((relation) => relation.accountId === account.accountId)?.follows ?? true;
          const chosen = player.kind === 'follower' && player.person.personId === one.personId;
          return (
            <li key={one.personId}>
              <Go to={{ as: one.personId, account: account.accountId }} className="player" current={chosen}>
                <Portrait url={one.pictureUrl} size={32} />
                <bdi>{one.name}</bdi>
                <small>{follows ? 'follows' : 'doesn’t follow'}</small>
              </Go>
            </li>
          );
        })}
        <li>
          <Go to={{ ...here, as: 'owner', thread: undefined }} className="player" current={player.kind === 'owner'}>
            <Portrait url={account.pictureUrl} size={32} />
            <bdi>{account.name}</bdi>
            <small>the creator</small>
          </Go>
        </li>
      </ul>
      {creators.length > 1 && (
        <>
          <h2>Whose posts?</h2>
          <ul className="creators">
            {creators.map((one) => (
              <li key={one.accountId}>
                <Go to={{ as: here.as, account: one.accountId }} current={one.accountId === account.accountId}>
                  {one.platform === 'facebook' ? `${one.name} (Page)` : `@${one.username}`}
                </Go>
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}

/** On top of the screen: who plays, changeable with a thumb. */
function PlayerBar({
  here,
  account,
  creators,
  players,
  player,
}: {
  here: Place;
  account: AccountView;
  creators: AccountView[];
  players: PersonView[];
  player: Player;
}) {
  return (
    <header className="player-bar">
      <h1 className="unseen">{player.kind === 'owner' ? 'The creator’s phone' : 'The follower’s phone'}</h1>
      <Portrait url={player.kind === 'owner' ? account.pictureUrl : player.person.pictureUrl} size={26} />
      <label>
        <span>You’re</span>
        <select
          aria-label="You’re playing"
          value={here.as}
          onChange={(event) => go({ ...here, as: event.target.value, thread: undefined })}
        >
          {players.map((one) => (
            <option key={one.personId} value={one.personId}>
              {one.name}
            </option>
          ))}
          <option value="owner">{account.name} (the creator)</option>
        </select>
      </label>
      {creators.length > 1 && (
        <label>
          <span>Account</span>
          <select
            aria-label="You’re viewing"
            value={account.accountId}
            onChange={(event) => go({ as: here.as, account: event.target.value })}
          >
            {creators.map((one) => (
              <option key={one.accountId} value={one.accountId}>
                {one.platform === 'facebook' ? `${one.name} (Page)` : `@${one.username}`}
              </option>
            ))}
          </select>
        </label>
      )}
    </header>
  );
}

function Screen({
  here,
  account,
  people,
  player,
}: {
  here: Place;
  account: AccountView;
  people: PersonView[];
  player: Player;
}) {
  const threads = useThreads(player, account, people);
  const unread = (threads.value ?? []).reduce((sum, thread) => sum + thread.unread, 0);
  const inMessages = here.messages !== undefined || here.thread !== undefined;
  const inSettings = here.settings !== undefined && player.kind === 'owner';
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) The follower's phone` : "The follower's phone";
  }, [unread]);
  return (
    <>
      <View
        name={`${here.as} ${here.account} ${here.thread ?? here.messages ?? here.story ?? here.post ?? here.settings ?? 'feed'}`}
      >
        {here.thread !== undefined ? (
          <Thread here={here} account={account} player={player} people={people} />
        ) : here.messages !== undefined ? (
          <Inbox here={here} player={player} threads={threads} people={people} />
        ) : here.story !== undefined ? (
          <StoryPage here={here} account={account} player={player} />
        ) : here.post !== undefined ? (
          <PostPage here={here} account={account} player={player} />
        ) : inSettings ? (
          <ConnectedApps account={account} />
        ) : (
          <Feed here={here} account={account} player={player} />
        )}
      </View>
      {here.thread === undefined && (
        <nav className="tabs" aria-label="Phone">
          <Go to={{ as: here.as, account: here.account }} current={!inMessages && !inSettings}>
            <Glyph d="M4 11l8-7 8 7v9h-5v-6H9v6H4z" />
            Posts
          </Go>
          <Go to={{ as: here.as, account: here.account, messages: 'inbox' }} current={inMessages}>
            <Glyph d="M4 5h16v11H9l-5 4z" />
            Messages
            {unread > 0 && (
              <span className="badge">
                {unread}
                <span className="unseen"> unread</span>
              </span>
            )}
          </Go>
          {player.kind === 'owner' && (
            <Go to={{ as: here.as, account: here.account, settings: 'apps' }} current={inSettings}>
              <Glyph d="M5 5h6v6H5zM13 5h6v6h-6zM5 13h6v6H5zM13 13h6v6h-6z" />
              Apps
            </Go>
          )}
        </nav>
      )}
    </>
  );
}

const scrolledTo = new Map<string, number>();

/** The screens. Each begins at its top, or where it was left, and takes the keyboard's focus when it comes. */
function View({ name, children }: { name: string; children: ReactNode }) {
  const element = useRef<HTMLElement>(null);
  const shown = useRef(name);
  useLayoutEffect(() => {
    const main = element.current!;
    main.scrollTop = scrolledTo.get(name) ?? 0;
    if (shown.current !== name) main.focus({ preventScroll: true });
    shown.current = name;
  }, [name]);
  return (
    <main
      ref={element}
      tabIndex={-1}
      className="screen"
      onScroll={(event) => scrolledTo.set(name, event.currentTarget.scrollTop)}
    >
      {children}
    </main>
  );
}

function Glyph({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <path d={d} fill="none" stroke="currentColor" strokeWidth="1.9" strokeLinejoin="round" />
    </svg>
  );
}
