import { APP_NAMES } from '#contract/agents.ts';
import { getAppLinkFigures } from '#contract/app-links.ts';
import { APP_LINK } from '#web/features/app-links/words.ts';
import { DOOR_WORDS } from '#web/features/recipes/figure-words.ts';
import { countryName } from '#web/features/shops/countries.ts';
import { CHANNEL_NAMES } from '#web/features/shops/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Figure } from '#web/ui/Figure.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Who followed an app link, from where, and whether its app came up. */
export function AppLinkFigures({ appLinkId }: { appLinkId: string }) {
  const { creatorId } = useCreator();
  const figures = useEndpoint(getAppLinkFigures, { params: { creatorId, appLinkId } });
  return (
    <section className="mb-6 flex flex-col gap-3" aria-label={APP_LINK.figures}>
      <h3 className="font-medium">{APP_LINK.figures}</h3>
      <Loaded
        query={figures}
        loading={APP_LINK.figuresLoading}
        failed={APP_LINK.figuresFailed}
        skeleton={<Skeleton className="h-24" />}
      >
        {({ people, channels, apps, countries, days, posts, words, doors, opened, stayed }) =>
          people === 0 ? (
            <p className="text-muted text-sm">{APP_LINK.noFigures}</p>
          ) : (
            <>
              <dl className="grid grid-cols-3 gap-4">
                <Figure label={APP_LINK.people} value={people} />
                <Figure label={APP_LINK.opened} value={opened} />
                <Figure label={APP_LINK.stayed} value={stayed} />
              </dl>
              <p className="text-muted text-sm">{APP_LINK.heard}</p>
              <div className="grid gap-4 sm:grid-cols-2">
                <Shares
                  title={APP_LINK.byPlace}
                  rows={channels.map(({ channel, ...row }) => ({
                    ...row,
                    name: channel === null ? APP_LINK.noPlace : CHANNEL_NAMES[channel],
                  }))}
                />
                <Shares title={APP_LINK.byApp} rows={apps.map(({ app, ...row }) => ({ ...row, name: appName(app) }))} />
                <Shares
                  title={APP_LINK.byCountry}
                  rows={countries.map(({ country, ...row }) => ({
                    ...row,
                    name: country === null ? APP_LINK.noCountry : countryName(country),
                  }))}
                />
                <Shares
                  title={APP_LINK.byPost}
                  rows={posts.map(({ postId, caption, ...row }) => ({
                    ...row,
                    name: caption || (postId ?? APP_LINK.noPost),
                  }))}
                />
                <Shares
                  title={APP_LINK.byWord}
                  rows={words.map(({ word, ...row }) => ({ ...row, name: word ?? APP_LINK.noWord }))}
                />
                <Shares
                  title={APP_LINK.byDoor}
                  rows={doors.map(({ door, ...row }) => ({ ...row, name: DOOR_WORDS[door] }))}
                />
                <Shares
                  title={APP_LINK.byDay}
                  rows={days.map(({ day, ...row }) => ({ ...row, name: dayInWords(day) })).toReversed()}
                />
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function dayInWords(day: string): string {
  return new Date(day).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
}

function appName(app: keyof typeof APP_NAMES | null): string {
  if (app === null) return APP_LINK.noApp;
  return app === 'other' ? APP_LINK.otherApp : APP_NAMES[app];
}

function Shares({ title, rows }: { title: string; rows: { name: string; people: number }[] }) {
  if (rows.length === 0) return null;
  return (
    <table className="self-start text-sm">
      <caption className="pb-1 text-left text-muted">{title}</caption>
      <tbody>
        {rows.map(({ name, people }) => (
          <tr key={name} className="border-line border-t">
            <th scope="row" className="py-1.5 text-left font-normal">
              {name}
            </th>
            <td className="py-1.5 pl-3 text-right tabular-nums">{numerals(people)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
