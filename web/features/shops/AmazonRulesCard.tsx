import { AMAZON_RULES, AmazonRulesChoice, changeAmazonRules, getAmazonRules } from '#contract/amazon-rules.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { LINK_CHANNELS, type LinkChannel } from '#contract/link-channels.ts';
import { AMAZON_LINKS, AMAZON_RULE_NAMES, CHANNEL_NAMES } from '#web/features/shops/words.ts';
import { type ApiForm, FormFrame, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Rules = ResponseOf<typeof getAmazonRules>;
type Form = ApiForm<Rules>;

export function AmazonRulesCard() {
  const { creatorId } = useCreator();
  const rules = useEndpoint(getAmazonRules, { params: { creatorId } });
  return (
    <Card title={AMAZON_LINKS.title} description={AMAZON_LINKS.says}>
      <Loaded
        query={rules}
        loading={AMAZON_LINKS.loading}
        failed={AMAZON_LINKS.failed}
        skeleton={<Skeleton className="h-64" />}
      >
        {(data) => <AmazonRulesForm key={creatorId} rules={data} />}
      </Loaded>
    </Card>
  );
}

function AmazonRulesForm({ rules }: { rules: Rules }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: changeAmazonRules,
    schema: AmazonRulesChoice,
    defaultValues: typedOf(rules),
    request: (body: Rules) => ({ params: { creatorId }, body }),
    refreshes: [getAmazonRules],
    onSuccess: (saved): void => form.reset(typedOf(saved)),
    successToast: { title: AMAZON_LINKS.saved },
  });
  return (
    <FormFrame
      form={form}
      aria-label={AMAZON_LINKS.title}
      className="flex flex-col gap-4"
      submitLabel={form.formState.isDirty ? AMAZON_LINKS.save : undefined}
    >
      {rules.channels === null && <p>{AMAZON_LINKS.undecided}</p>}
      <p className="text-muted text-sm">{AMAZON_LINKS.contradict}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {LINK_CHANNELS.map((channel) => (
          <ChannelField key={channel} form={form} channel={channel} />
        ))}
      </div>
      <Checkbox label={AMAZON_LINKS.byCountry} hint={AMAZON_LINKS.byCountryHint} {...form.register('byCountry')} />
    </FormFrame>
  );
}

function ChannelField({ form, channel }: { form: Form; channel: LinkChannel }) {
  const error = useFieldError(form.control, `channels.${channel}`);
  return (
    <Field label={CHANNEL_NAMES[channel]} error={error}>
      {(wiring) => (
        <Select {...wiring} {...form.register(`channels.${channel}`)}>
          <option value="" disabled>
            {AMAZON_LINKS.choose}
          </option>
          {AMAZON_RULES.map((rule) => (
            <option key={rule} value={rule}>
              {AMAZON_RULE_NAMES[rule]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Nothing is chosen for anybody beforehand: what is missing the form asks for. */
function typedOf({ channels, byCountry }: Rules): Rules {
  const chosen = LINK_CHANNELS.map((channel) => [channel, channels?.[channel] ?? '']);
  return { channels: Object.fromEntries(chosen) as NonNullable<Rules['channels']>, byCountry };
}
