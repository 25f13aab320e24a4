import { useWatch } from 'react-hook-form';
import { changeShopping, getShopping, ShoppingChoices, type ShoppingSettings } from '#contract/shops.ts';
import { WordsCard } from '#web/features/ingredient-words/WordsCard.tsx';
import { SavedMeanwhile } from '#web/features/libraries/LibrarySheet.tsx';
import { useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { SponsorsCard } from '#web/features/pins/SponsorsCard.tsx';
import { AmazonRulesCard } from '#web/features/shops/AmazonRulesCard.tsx';
import { BlogButtonCard } from '#web/features/shops/BlogButtonCard.tsx';
import { InstacartCard } from '#web/features/shops/InstacartCard.tsx';
import { LinkDomainsCard } from '#web/features/shops/LinkDomainsCard.tsx';
import { ListsCard } from '#web/features/shops/ListsCard.tsx';
import { ShopsCard } from '#web/features/shops/ShopsCard.tsx';
import { TagsCard } from '#web/features/shops/TagsCard.tsx';
import { RECIPE_SETTINGS } from '#web/features/shops/words.ts';
import { dropDraft } from '#web/shell/drafts.ts';
import { FormFrame } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Saved = ShoppingSettings & { id: string };

/** Where lists can be bought, and what every list goes by. */
export function RecipeSettingsPage() {
  const { creatorId } = useCreator();
  const settings = useEndpoint(getShopping, { params: { creatorId } });
  return (
    <>
      <PageHeader title={RECIPE_SETTINGS.title} description={RECIPE_SETTINGS.description} />
      <Loaded
        query={settings}
        loading={RECIPE_SETTINGS.loading}
        failed={RECIPE_SETTINGS.failed}
        skeleton={
          <div className="flex max-w-3xl flex-col gap-6">
            <Skeleton className="h-80" />
            <Skeleton className="h-56" />
          </div>
        }
      >
        {(data) => (
          <div className="flex max-w-3xl flex-col gap-6">
            <Settings key={creatorId} latest={data} refetch={settings.refetch} />
            <AmazonRulesCard />
            <InstacartCard instacart={data.instacart} />
            <BlogButtonCard />
            <LinkDomainsCard />
            <SponsorsCard />
            <WordsCard />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Settings({ latest, refetch }: { latest: ShoppingSettings; refetch: () => unknown }) {
  const { creatorId } = useCreator();
  const draftKey = `shopping:${creatorId}`;
  const saved: Saved = { id: creatorId, ...latest };
  const { form, theirs, keepMine, takeTheirs } = useLibraryForm({
    saved,
    latest: saved,
    inputOf,
    fresh: inputOf(saved),
    endpoint: changeShopping,
    schema: ShoppingChoices,
    request: (values: ShoppingChoices, version) => ({ params: { creatorId }, body: { ...values, version } }),
    draftKey,
    refreshes: [getShopping],
    refetch,
    // Shops that are new have their ids now.
    onSaved: (now): void => {
      form.reset(inputOf(now));
      // Which the form takes for something typed.
      dropDraft(draftKey);
    },
  });
  const { shops, amazonTags } = useWatch({ control: form.control }) as ShoppingChoices;
  return (
    <FormFrame
      form={form}
      className="flex flex-col gap-6"
      submitLabel={form.formState.isDirty ? RECIPE_SETTINGS.save : undefined}
    >
      {theirs && <SavedMeanwhile theirs={inShort(theirs)} onMine={keepMine} onTheirs={takeTheirs} />}
      <ShopsCard form={form} shops={shops} saved={latest} hasTag={amazonTags.length > 0} />
      <TagsCard form={form} />
      <ListsCard form={form} />
    </FormFrame>
  );
}

function inputOf(settings: ShoppingSettings): ShoppingChoices {
  const { shops, amazonTags, disclosure, measures, country, pantry } = settings;
  return { shops, amazonTags, disclosure, measures, country, pantry };
}

function inShort({ shops, amazonTags, disclosure, pantry }: ShoppingSettings): string {
  const named = shops.map((shop) => `${shop.kind === 'search' ? shop.name : shop.kind}: ${shop.on ? 'on' : 'off'}`);
  const tags = amazonTags.map(({ marketplace, tag }) => `${marketplace}: ${tag}`);
  return [...named, ...tags, disclosure, pantry.join(', ')].filter((line) => line !== '').join('\n');
}
