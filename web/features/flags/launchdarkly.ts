import { LaunchDarklyClientProvider } from '@openfeature/launchdarkly-client-provider';
import type { Provider } from '@openfeature/web-sdk';

/** LaunchDarkly as OpenFeature's provider, with the client's defaults of the spec's section 9 written out. */
export function launchDarkly(clientId: string): Provider {
  return new LaunchDarklyClientProvider(clientId, {
    initializationTimeout: 4,
    streaming: true,
    flushInterval: 2000,
    eventCapacity: 100,
    streamReconnectDelay: 1000,
    sendEventsOnlyForVariation: true,
  });
}
