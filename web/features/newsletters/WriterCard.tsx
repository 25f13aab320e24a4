import { useState } from 'react';
import { listIntegrations, TOOL_NAMES, type ToolName } from '#contract/newsletter-tools.ts';
import {
  changeNewsletterWriter,
  getNewsletter,
  listBroadcasts,
  type Newsletter,
  type NewsletterWriter,
} from '#contract/newsletters.ts';
import { mayDo } from '#contract/roles.ts';
import { WRITER } from '#web/features/newsletters/words.ts';
import { settingsPath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';

const TOOLS = Object.keys(TOOL_NAMES) as ToolName[];

/** Who sends newsletters; away from here only after a question, as it stops what is under way. */
export function WriterCard({ newsletter: { writer } }: { newsletter: Newsletter }) {
  const { creatorId, role } = useCreator();
  const mayChange = role !== null && mayDo(role, 'newsletter');
  const tools = useEndpoint(listIntegrations, { params: { creatorId } });
  const [asked, setAsked] = useState<ToolName | null>(null);
  const nameOf = (one: NewsletterWriter) => (one === 'here' ? WRITER.here.toLowerCase() : TOOL_NAMES[one]);
  const change = useEndpointMutation(changeNewsletterWriter, {
    successToast: false,
    refreshes: [listBroadcasts],
    pendingUntilRead: [getNewsletter],
    onSuccess: () => setAsked(null),
  });
  const changeTo = (chosen: NewsletterWriter) => change.mutate({ params: { creatorId }, body: { writer: chosen } });
  const shown = change.isPending ? change.variables.body.writer : writer;
  const isOn = (tool: ToolName) => tools.data?.items.some((one) => one.tool === tool && one.state === 'on') ?? false;
  return (
    <Card title={WRITER.title} {...(!mayChange && { description: WRITER.ownersOnly })}>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{WRITER.title}</legend>
        <Radio
          name="writer"
          label={WRITER.here}
          hint={WRITER.hereSays}
          checked={shown === 'here'}
          disabled={!mayChange}
          onChange={() => changeTo('here')}
        />
        {TOOLS.map((tool) => (
          <Radio
            key={tool}
            name="writer"
            label={TOOL_NAMES[tool]}
            hint={
              isOn(tool) || writer === tool ? WRITER.toolSays(TOOL_NAMES[tool]) : WRITER.connectFirst(TOOL_NAMES[tool])
            }
            checked={shown === tool}
            disabled={!mayChange || (!isOn(tool) && writer !== tool)}
            onChange={() => setAsked(tool)}
          />
        ))}
      </fieldset>
      <TextLink to={settingsPath('other-tools')} className="mt-2 inline-flex min-h-11 items-center text-sm md:min-h-8">
        {WRITER.connect}
      </TextLink>
      {asked && (
        <Question
          open
          onOpenChange={() => setAsked(null)}
          title={WRITER.ask(nameOf(asked))}
          description={WRITER.means}
          keep={WRITER.keep}
          act={WRITER.sure(nameOf(asked))}
          busy={change.isPending}
          onAct={() => changeTo(asked)}
        />
      )}
    </Card>
  );
}
