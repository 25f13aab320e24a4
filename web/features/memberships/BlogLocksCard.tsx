import { useState } from 'react';
import type { BodyOf } from '#contract/endpoint.ts';
import { type BlogLocks, changeBlogLock, getLocks, type Lockable, listBlogLocks } from '#contract/locks.ts';
import { LOCKS } from '#web/features/memberships/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { showToast } from '#web/ui/toast.ts';

const WORDS = LOCKS.blog;
type Whom = BlogLocks['whom'];
type Change = BodyOf<typeof changeBlogLock>;

/** Categories, tags and posts of the blog, each with whom it is for; changed there at once. */
export function BlogLocksCard() {
  const { creatorId } = useCreator();
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState<{ question: string; change: Change } | null>(null);
  const locks = useEndpoint(listBlogLocks, {
    params: { creatorId },
    query: search === '' ? {} : { search },
  });
  const send = useEndpointMutation(changeBlogLock, {
    refreshes: [getLocks],
    pendingUntilRead: [listBlogLocks],
    successToast: false,
    onSuccess: ({ question }, { body }) => {
      setAsked(question === null ? null : { question, change: body });
      if (question === null) showToast({ tone: 'success', title: WORDS.done });
    },
  });
  const chosen = send.isPending ? send.variables.body : null;
  const change = (body: Change) => send.mutate({ params: { creatorId }, body });
  return (
    <Card title={WORDS.title} description={WORDS.says}>
      <div className="flex flex-col gap-4">
        <SearchField label={WORDS.search} search={search} onSearch={setSearch} />
        <Loaded query={locks} loading={WORDS.loading} failed={WORDS.failed} skeleton={<Skeleton className="h-48" />}>
          {({ items, whom }) =>
            items.length === 0 ? (
              <p className="text-muted">{search === '' ? WORDS.nothing : WORDS.none}</p>
            ) : (
              <ul className="divide-y divide-line">
                {items.map((item) => (
                  <Row
                    key={`${item.kind} ${item.id}`}
                    item={item}
                    whom={whom}
                    chosen={{ ...item, ...(chosen?.kind === item.kind && chosen.id === item.id && chosen) }}
                    onChoose={(chosen) => change({ kind: item.kind, id: item.id, isSure: false, ...chosen })}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      <Question
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={WORDS.much}
        description={asked?.question}
        keep={WORDS.keep}
        act={WORDS.lock}
        onAct={() => asked !== null && change({ ...asked.change, isSure: true })}
        busy={send.isPending}
        danger
      />
    </Card>
  );
}

type Chosen = Pick<Lockable, 'lock' | 'days'>;
type RowProps = { item: Lockable; whom: Whom; chosen: Chosen; onChoose: (chosen: Chosen) => void };

/** After how many days what is locked is open to all. */
const DAYS = [0, 7, 14, 30, 60, 90, 180, 365];

function Row({ item, whom, chosen, onChoose }: RowProps) {
  const { kind, posts, lock, holds, isInText, days } = item;
  const isLocked = kind !== 'post' && chosen.lock !== '';
  const name = item.name || WORDS.noTitle;
  const choices = choicesOf(item, whom);
  const label = choices.find(([rule]) => rule === holds)?.[1] ?? nameOf(holds ?? '', whom);
  const facts = [
    WORDS.kinds[kind],
    posts !== undefined && WORDS.posts(posts),
    kind === 'post' && lock === '' && holds !== '' && WORDS.holds(label),
    isInText && WORDS.inText,
  ];
  return (
    <li className="grid items-center gap-2 py-3 sm:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="text-muted text-sm">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex flex-col gap-2">
        <Select
          aria-label={WORDS.whoReads(name)}
          value={chosen.lock}
          onChange={({ target }) => onChoose({ lock: target.value })}
        >
          {choices.map(([rule, said]) => (
            <option key={rule} value={rule}>
              {said}
            </option>
          ))}
        </Select>
        {isLocked && (
          <Select
            aria-label={WORDS.opens(name)}
            value={chosen.days}
            onChange={({ target }) => onChoose({ lock: chosen.lock, days: Number(target.value) })}
          >
            {[...new Set([...DAYS, days ?? 0])]
              .toSorted((a, b) => a - b)
              .map((many) => (
                <option key={many} value={many}>
                  {WORDS.days(many)}
                </option>
              ))}
          </Select>
        )}
      </div>
    </li>
  );
}

/** What it is now is one of them, though nobody offers it any more. */
function choicesOf({ kind, lock }: Lockable, whom: Whom): [rule: string, name: string][] {
  const open: [string, string][] =
    kind === 'post'
      ? [
          ['', WORDS.asTerms],
          ['open', WORDS.everyone],
        ]
      : [['', WORDS.everyone]];
  const rules = whom.flatMap(({ rule }) => [`rest:${rule}`, `card:${rule}`]);
  const all = lock === '' || lock === 'open' || rules.includes(lock) ? rules : [...rules, lock];
  return [...open, ...all.map((rule): [string, string] => [rule, nameOf(rule, whom)])];
}

function nameOf(lock: string, whom: Whom): string {
  const [locks, ...who] = lock.split(':');
  const name = whom.find(({ rule }) => rule === who.join(':'))?.name ?? WORDS.highest;
  return locks === 'card' ? WORDS.card(name) : name;
}
