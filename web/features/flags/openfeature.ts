/** The flags of one person and creator, over OpenFeature. Fetched behind the login only. */
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk';
import { API_BASE } from '#contract/endpoint.ts';
import { FLAG_NAMES, type Flags } from '#contract/flags.ts';

/** A change in the admin area must reach open pages within a minute. */
const POLL_MS = 30_000;
/** The menu waits for the flags. */
const PATIENCE_MS = 4000;

export type FlagsOf = {
  userId: string;
  creatorId: string;
  /** Set: LaunchDarkly decides. Null: our own endpoint. */
  clientId: string | null;
};

/** The next provider waits until the one before has gone: OpenFeature has one place for all. */
let leaving: Promise<void> = Promise.resolve();

/**
 * Reports the flags once they are known and again whenever one changes; without an answer every flag is off until one comes.
 * @returns how to stop listening
 */
export function watchFlags(of: FlagsOf, tell: (flags: Flags) => void): () => void {
  let stopped = false;
  const read = () => {
    if (stopped) return;
    const client = OpenFeature.getClient();
    tell(Object.fromEntries(FLAG_NAMES.map((name) => [name, client.getBooleanValue(name, false)])) as Flags);
  };
  const start = async () => {
    await leaving;
    if (stopped) return;
    const provider = await providerFor(of.clientId);
    // A failure leaves the provider in place: it goes on asking, and every flag is at its default meanwhile.
    await OpenFeature.setProviderAndWait(provider, contextOf(of)).catch(() => {});
    if (stopped) return;
    read();
    OpenFeature.addHandler(ProviderEvents.ConfigurationChanged, read);
    OpenFeature.addHandler(ProviderEvents.Ready, read);
  };
  void start();
  return () => {
    stopped = true;
    OpenFeature.removeHandler(ProviderEvents.ConfigurationChanged, read);
    OpenFeature.removeHandler(ProviderEvents.Ready, read);
    // Ends the polling: the next person at this browser is asked for again.
    leaving = leaving.then(() => OpenFeature.clearProviders());
  };
}

/** Flags are set per creator; the person goes along for providers that tell people apart. */
function contextOf({ userId, creatorId }: FlagsOf) {
  return { targetingKey: creatorId, userId };
}

async function providerFor(clientId: string | null): Promise<Provider> {
  if (clientId !== null) {
    const { launchDarkly } = await import('#web/features/flags/launchdarkly.ts');
    return launchDarkly(clientId);
  }
  return new OFREPWebProvider({
    baseUrl: API_BASE,
    timeoutMs: PATIENCE_MS,
    pollInterval: POLL_MS,
    changeDetection: 'polling',
    // Yesterday's flags only when today's cannot be had: entries must not come and go after the first drawing.
    cacheMode: 'network-first',
  });
}
