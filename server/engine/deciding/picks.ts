/** Which wording is next: never the one picked last, as far as this process remembers. */
import { chooseVariant } from '#contract/rotation.ts';
import type { EngineAutomation } from './listening-automations.ts';

export class Picks {
  private readonly random: () => number;
  private readonly last = new Map<string, number>();

  /** @param random in [0, 1) */
  constructor(random: () => number) {
    this.random = random;
  }

  /** Of the translation's public replies where it has some; null when there are none. */
  publicReply(automation: EngineAutomation, language: string | null): string | null {
    const translated = automation.translations.find((translation) => translation.language === language)?.publicReplies;
    const replies = translated === undefined || translated.length === 0 ? automation.publicReplies : translated;
    const index = this.inTurn(`${automation.id} reply ${language}`, replies.length);
    return index === null ? null : replies[index]!;
  }

  /** `a` is the automation's own text. */
  variant({ id, variants, variantWinner }: EngineAutomation): string {
    if (variantWinner !== null) return variantWinner;
    const index = this.inTurn(`${id} wording`, variants.length + 1)!;
    return index === 0 ? 'a' : variants[index - 1]!.id;
  }

  private inTurn(key: string, count: number): number | null {
    const index = chooseVariant(count, this.last.get(key) ?? null, this.random);
    if (index !== null && count > 1) this.last.set(key, index);
    return index;
  }
}
