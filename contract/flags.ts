/**
 * Feature flags over OFREP (the OpenFeature Remote Evaluation Protocol): the browser's provider asks
 * `POST /ofrep/v1/evaluate/flags` and polls with an ETag.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost } from '#contract/shapes.ts';

export const Flags = z.object({
  mealPlansEnabled: z.boolean(),
  appLinksEnabled: z.boolean(),
  storyMentions: z.boolean(),
  referralFactoryEnabled: z.boolean(),
});
export type Flags = z.infer<typeof Flags>;
export type FlagName = keyof Flags;

export const FLAG_NAMES = Object.keys(Flags.shape) as FlagName[];

export const evaluateFlags = endpoint({
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags',
  access: 'user',
  summary:
    'All flags for you and your current creator (OFREP bulk evaluation; answers 304 to a matching If-None-Match)',
  body: z.object({ context: z.optional(z.record(z.string(), z.unknown())) }),
  response: z.object({
    flags: atMost(100, z.object({ key: z.string(), value: z.boolean(), reason: z.string(), variant: z.string() })),
  }),
  errors: ['invalid_input'],
});
