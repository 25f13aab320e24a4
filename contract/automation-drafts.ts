/** A draft of an automation beside its live version, which goes on answering until the draft is published. */
import * as z from 'zod/mini';
import { Automation, AutomationInput } from '#contract/automations.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Id } from '#contract/shapes.ts';

const AutomationParams = z.object({ creatorId: Id, automationId: Id });
/** As the editor saw them: `version` of the live automation, `draftVersion` of the draft. */
const Seen = z.object({ version: z.int(), draftVersion: z.int() });

export const saveDraft = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/automations/:automationId/draft',
  access: 'creator',
  quotas: ['saved_bytes'],
  summary: 'Save changes as a draft; refused if someone else changed the automation or its draft',
  params: AutomationParams,
  body: z.extend(AutomationInput, Seen.shape),
  response: Automation,
  errors: ['invalid_input', 'not_found', 'changed_meanwhile'],
});

export const publishDraft = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/:automationId/draft/publish',
  access: 'creator',
  quotas: ['links'],
  summary: 'Publish the draft; refused if the live version changed after the draft was started',
  params: AutomationParams,
  body: Seen,
  response: Automation,
  errors: ['invalid_input', 'not_found', 'changed_meanwhile'],
});

export const discardDraft = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/:automationId/draft/discard',
  access: 'creator',
  summary: 'Discard the draft; the live version stays as it is',
  params: AutomationParams,
  body: z.object({ draftVersion: z.int() }),
  response: Automation,
  errors: ['not_found', 'changed_meanwhile'],
});
