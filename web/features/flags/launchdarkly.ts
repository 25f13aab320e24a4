import { LaunchDarklyClientProvider } from '@openfeature/launchdarkly-client-provider';
import type { Provider } from '@openfeature/web-sdk';
import { SPEC_NUMBERS } from '#web/ui/spec-numbers.ts';

/** LaunchDarkly as OpenFeature's provider, with the client's defaults of the spec's section 9 written out. */
export function launchDarkly(clientId: string): Provider {
  return new LaunchDarklyClientProvider(clientId, {
    initializationTimeout: 4,
    streaming: true,
    ...SPEC_NUMBERS.flagClient,
    sendEventsOnlyForVariation: true,
  });
}
