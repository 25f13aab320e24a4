import { useMemo } from 'react';
import { listForms } from '#contract/forms.ts';
import { listSites } from '#contract/sites.ts';
import { listTags } from '#contract/tags.ts';
import { type Choices, fixedChoices } from '#web/features/contacts/segment-words.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** What conditions can be about, by name. Null until it is known. */
export function useSegmentChoices(): Choices | null {
  const { creatorId } = useCreator();
  const tags = useEndpoint(listTags, { params: { creatorId } }).data;
  const forms = useEndpoint(listForms, { params: { creatorId } }).data;
  const sites = useEndpoint(listSites, { params: { creatorId } }).data;
  return useMemo(() => {
    if (tags === undefined || forms === undefined || sites === undefined) return null;
    return {
      ...fixedChoices(),
      tag: tags.items.map(({ id, name }) => ({ value: id, label: name })),
      form: forms.items.map(({ id, name }) => ({ value: id, label: name })),
      site: sites.items.map(({ id, name }) => ({ value: id, label: name ?? 'Unnamed blog' })),
    };
  }, [tags, forms, sites]);
}
