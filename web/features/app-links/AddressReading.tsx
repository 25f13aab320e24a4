import { Fragment, useEffect, useState } from 'react';
import { LinkTarget, readAppLink } from '#contract/app-link-reading.ts';
import { AMAZON_WARNING_WORDS, APP_LINK } from '#web/features/app-links/words.ts';
import { AMAZON_RULE_NAMES, CHANNEL_NAMES } from '#web/features/shops/words.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';

const TYPING_PAUSE_MS = 400;

type Props = {
  address: string;
  /** Null: it has a name. */
  onName: ((name: string) => void) | null;
};

/** What an address is, while it is typed: its app, and at Amazon whose tag is in it. */
export function AddressReading({ address, onName }: Props) {
  const { creatorId } = useCreator();
  const [wanted, setWanted] = useState(address);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(address), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [address]);
  const isAddress = LinkTarget.safeParse(wanted).success;
  const { data, isFetching } = useEndpoint(
    readAppLink,
    { params: { creatorId }, body: { address: wanted } },
    { enabled: isAddress && wanted === address },
  );
  if (!isAddress || wanted !== address) return null;
  if (data === undefined) return isFetching ? <p className="text-muted text-sm">{APP_LINK.reading}</p> : null;
  const { amazon, app, host, looksLikeAmazon } = data;
  const name = amazon?.title ?? null;
  const warnings = [
    ...(looksLikeAmazon ? [APP_LINK.looksLikeAmazon] : []),
    ...(amazon?.warnings ?? []).map((warning) => AMAZON_WARNING_WORDS[warning]),
    ...(amazon !== null && amazon.channels === null ? [APP_LINK.undecided] : []),
  ];
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        {APP_LINK.host} <bdi className="wrap-anywhere font-medium">{host}</bdi>.{' '}
        {app === null ? APP_LINK.opensBrowser : APP_LINK.opens(app)} {amazon?.tag != null && APP_LINK.tag(amazon.tag)}
      </p>
      {amazon?.channels != null && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {amazon.channels.map(({ channel, rule }) => (
            <Fragment key={channel}>
              <dt className="text-muted">{CHANNEL_NAMES[channel]}</dt>
              <dd>{AMAZON_RULE_NAMES[rule]}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {onName !== null && name !== null && (
        <Button variant="secondary" size="small" className="self-start" onClick={() => onName(name)}>
          {APP_LINK.nameIt(name)}
        </Button>
      )}
      {warnings.length > 0 && (
        <Alert variant="warning">
          <ul className="flex flex-col gap-1">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Alert>
      )}
    </div>
  );
}
