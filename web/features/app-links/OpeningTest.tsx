import { APP_NAMES, IN_APP_BROWSERS, PHONE_SYSTEMS } from '#contract/agents.ts';
import { getOpeningTest, type OpeningTest as Tested } from '#contract/app-links.ts';
import { OPENING_TEST } from '#web/features/app-links/words.ts';
import { QrCode } from '#web/features/settings/QrCode.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';
import { relativeTime } from '#web/ui/relative-time.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const SYSTEM_NAMES = { ios: 'iPhone', android: 'Android' };

/** An app link tried on the creator's own phone, and what came of it in each app. */
export function OpeningTest({ appLinkId }: { appLinkId: string }) {
  const { creatorId } = useCreator();
  const test = useEndpoint(getOpeningTest, { params: { creatorId, appLinkId } });
  return (
    <details className="mt-6">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">{OPENING_TEST.title}</summary>
      <Loaded
        query={test}
        loading={OPENING_TEST.loading}
        failed={OPENING_TEST.failed}
        skeleton={<Skeleton className="h-40" />}
      >
        {({ url, target, answers }) => (
          <div className="flex flex-col gap-4">
            <p className="text-muted text-sm">{OPENING_TEST.says}</p>
            {url !== null && (
              <>
                <QrCode text={url} label={OPENING_TEST.qr} />
                <div className="flex flex-wrap items-center gap-3">
                  <bdi className="wrap-anywhere min-w-0 flex-1 text-sm">{url}</bdi>
                  <CopyButton text={url} />
                </div>
              </>
            )}
            <Answers target={target} answers={answers} />
          </div>
        )}
      </Loaded>
    </details>
  );
}

function Answers({ target, answers }: Pick<Tested, 'target' | 'answers'>) {
  const now = useNow();
  const said = (app: string, system: string) => {
    const answer = answers.find((one) => one.app === app && one.system === system);
    if (answer === undefined) return OPENING_TEST.notTested;
    const when = relativeTime(Date.parse(answer.testedAt), now);
    return answer.worked ? OPENING_TEST.worked(answer.rule, when) : OPENING_TEST.failedThen(answer.rule, when);
  };
  return (
    <table className="w-full text-left text-sm">
      <caption className="pb-1 text-left text-muted">{OPENING_TEST.of(target)}</caption>
      <thead>
        <tr>
          <th scope="col" className="py-1.5 pr-3 font-medium">
            {OPENING_TEST.app}
          </th>
          {PHONE_SYSTEMS.map((system) => (
            <th key={system} scope="col" className="py-1.5 pr-3 font-medium">
              {SYSTEM_NAMES[system]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {IN_APP_BROWSERS.filter((app) => app !== 'other' && APP_NAMES[app] !== target).map((app) => (
          <tr key={app} className="border-line border-t align-top">
            <th scope="row" className="py-1.5 pr-3 font-normal">
              {APP_NAMES[app]}
            </th>
            {PHONE_SYSTEMS.map((system) => (
              <td key={system} className="py-1.5 pr-3">
                {said(app, system)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
