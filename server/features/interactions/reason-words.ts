/** An outcome as a sentence. */
import { REASONS, type Reason } from '#contract/outcomes.ts';

/** The reason, with when to expect the message where that is known. Relative: the server does not know the reader's clock. */
export function saysOf(interaction: { outcome: string; reason: Reason; waitingUntil: Date | null }, now: Date): string {
  const { says } = REASONS[interaction.reason];
  if (interaction.outcome !== 'waiting' || interaction.waitingUntil === null) return says;
  const when = inWords(interaction.waitingUntil.getTime() - now.getTime());
  // It goes out whenever the link works again.
  return interaction.reason === 'link_broken'
    ? `${says} It’ll be sent ${when} at the latest.`
    : `${says} Expected ${when}.`;
}

export function remedyOf(reason: Reason): string | null {
  const entry: { says: string; remedy?: string } = REASONS[reason];
  return entry.remedy ?? null;
}

const MINUTE_MS = 60_000;

/** "any moment", "in about 12 minutes", "in about 3 hours", "in about 2 days". */
export function inWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 1) return 'any moment';
  if (minutes < 90) return `in about ${counted(minutes, 'minute')}`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `in about ${counted(hours, 'hour')}`;
  return `in about ${counted(Math.round(hours / 24), 'day')}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
