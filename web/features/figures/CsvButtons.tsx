import { Download } from 'lucide-react';
import { CONTACTS_CSV_PATH, INTERACTIONS_CSV_PATH, MEMBERS_CSV_PATH, MONEY_CSV_PATH } from '#contract/figures.ts';
import { mayDo } from '#contract/roles.ts';
import { useCreator } from '#web/shell/session.ts';
import { LinkButton } from '#web/ui/Button.tsx';

/** The list as it is filtered, for a spreadsheet; nothing for those who may not take data along. */
export function InteractionsCsv({ query }: { query: { postId: string; outcome?: string } }) {
  const { creatorId } = useCreator();
  return <CsvButton href={`${INTERACTIONS_CSV_PATH(creatorId)}?${new URLSearchParams(query)}`} />;
}

export function ContactsCsv({ query }: { query: { filter?: string; segment?: string; tagId?: string } }) {
  const { creatorId } = useCreator();
  return <CsvButton href={`${CONTACTS_CSV_PATH(creatorId)}?${new URLSearchParams(query)}`} />;
}

export function MembersCsv() {
  const { creatorId } = useCreator();
  return <CsvButton href={MEMBERS_CSV_PATH(creatorId)} />;
}

export function MoneyCsv() {
  const { creatorId } = useCreator();
  return <CsvButton href={MONEY_CSV_PATH(creatorId)} />;
}

function CsvButton({ href }: { href: string }) {
  const { role } = useCreator();
  if (role === null || !mayDo(role, 'export')) return null;
  return (
    <LinkButton variant="secondary" size="small" href={href} download>
      <Download aria-hidden="true" className="size-4" />
      CSV
    </LinkButton>
  );
}
