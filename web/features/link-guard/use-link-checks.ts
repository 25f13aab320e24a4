import { type LinkCheck, listLinkChecks } from '#contract/link-guard.ts';
import { useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

const NOTHING: LinkCheck[] = [];

/** The addresses that automations send, with what was found there; empty until they are known. */
export function useLinkChecks(): { checking: boolean; links: LinkCheck[] } {
  const { creatorId } = useCreator();
  const checks = useWholeList(listLinkChecks, { params: { creatorId } });
  return { checking: checks.data?.checking ?? false, links: checks.data?.items ?? NOTHING };
}

/** Those of one automation. */
export function linksOf(links: readonly LinkCheck[], automationId: string): LinkCheck[] {
  return links.filter(({ usedBy }) => usedBy.some((use) => use.automationId === automationId));
}
