import type { Connection } from '#contract/connections.ts';
import { CONNECTED_AS, nameOf } from '#web/features/connections/words.ts';
import { Avatar } from '#web/ui/Avatar.tsx';

/** Who was connected, with their picture: the Instagram account, else the Page. Further ones stand below. */
export function ConnectedAs({ connections }: { connections: readonly Connection[] }) {
  const connection = connections.find(({ platform }) => platform === 'instagram') ?? connections[0];
  if (connection === undefined) return null;
  const others = connections.filter((other) => other !== connection).map(nameOf);
  return (
    <div className="flex items-center gap-4">
      <Avatar size="large" sources={[connection.avatarUrl]} name={connection.username} />
      <div className="min-w-0">
        <h1 className="break-words font-semibold text-2xl">{CONNECTED_AS.connectedAs(nameOf(connection))}</h1>
        {others.length > 0 && <p className="break-words text-muted">{CONNECTED_AS.also(others.join(', '))}</p>}
      </div>
    </div>
  );
}
