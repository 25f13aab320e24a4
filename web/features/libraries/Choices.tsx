import { type ReactNode, useState } from 'react';
import { Loaded } from '#web/shell/Loaded.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Choices shown at once; the search finds the others. */
export const CHOICES_SHOWN = 20;

export type Choice = {
  id: string;
  name: string;
  says: string;
  /** Undefined: it has none. */
  pictureUrl?: string | null;
  /** It cannot be chosen, for what `says` tells. */
  disabled?: boolean;
  pick: () => void;
};

type Props<Data> = {
  query: Parameters<typeof Loaded<Data>>[0]['query'];
  choicesOf: (data: Data) => Choice[];
  search: string;
  onSearch: (search: string) => void;
  placeholder: string;
  loading: string;
  failed: string;
  empty: ReactNode;
};

/** What a creator saved, to choose one of. */
export function Choices<Data>(props: Props<Data>) {
  const { query, choicesOf, search, onSearch, placeholder, loading, failed, empty } = props;
  if (query.data !== undefined && search === '' && choicesOf(query.data).length === 0) return empty;
  return (
    <div className="flex flex-col gap-3">
      <SearchField label="Search" labelHidden placeholder={placeholder} search={search} onSearch={onSearch} />
      <Loaded query={query} loading={loading} failed={failed} skeleton={<Skeleton className="h-40" />}>
        {(data) => {
          const choices = choicesOf(data);
          if (choices.length === 0) return <p className="text-muted text-sm">No results. Try a shorter search.</p>;
          return (
            <ul className="flex max-h-[50dvh] flex-col overflow-y-auto">
              {choices.map(({ id, name, says, pictureUrl, disabled, pick }) => (
                <li key={id}>
                  <button
                    type="button"
                    disabled={disabled}
                    className="flex min-h-11 w-full items-center gap-3 rounded-md p-2 text-left hover:bg-sunken disabled:text-muted disabled:hover:bg-transparent"
                    onClick={pick}
                  >
                    {pictureUrl !== undefined && <Picture src={pictureUrl} alt="" className="size-10 shrink-0" />}
                    <span className="min-w-0">
                      <bdi className="block truncate font-medium">{name}</bdi>
                      <bdi className="block truncate text-muted text-sm">{says}</bdi>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </div>
  );
}

/** The search of a list of choices, and what to ask the server for. */
export function useChoiceSearch() {
  const [search, onSearch] = useState('');
  return { search, onSearch, query: { limit: CHOICES_SHOWN, ...(search !== '' && { search }) } };
}
