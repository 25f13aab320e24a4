/** What a list page says; one file for each language. */
import type { AISLES } from '#contract/ingredients/aisles.ts';
import type { MealSlot } from '#contract/meal-plans.ts';

type Named = (name: string) => string;

export type ListWords = {
  shoppingList: string;
  seeTheRecipe: string;
  /** Before the creator's name. */
  by: string;
  nothingYet: string;
  onlyForMembers: string;
  onlyForSubscribers: string;
  /** Behind one of those. */
  readItOnTheBlog: string;
  howToMake: string;
  servings: string;
  howMuch: string;
  mealPlan: string;
  /** Of seven, where it has no date. */
  day: Named;
  /** Behind a meal: for how many people. */
  forServings: Named;
  slots: Record<MealSlot, string>;
  oneLess: string;
  oneMore: string;
  pleaseRead: string;
  asWritten: string;
  asWrittenForOwnServings: string;
  youMayHave: string;
  optional: string;
  /** "buy 2 cans" */
  buy: Named;
  whatTheRecipeSaysOf: Named;
  /** Before what may be taken instead, each. */
  or: string;
  notScaled: string;
  shopAt: Named;
  otherShops: string;
  shoppingIn: string;
  anyCountry: string;
  change: string;
  print: string;
  share: string;
  copy: string;
  copied: string;
  notCopied: string;
  backToTheList: string;
  oneByOne: Named;
  notAt: Named;
  noSelection: Named;
  /** Servings are a number, or empty for none. */
  usualList: (servings: string) => string;
  openUsual: Named;
  nothingChosen: string;
  tryLater: string;
  refused: string;
  ourKey: string;
  notHere: string;
  aisles: Record<keyof typeof AISLES, string>;
  about: Named;
  /** Behind "2 cans": the size of one. */
  each: Named;
  /** By id: one and several, "Dose/Dosen"; the same for both without a slash. What is missing is written as in English. */
  units: Readonly<Record<string, string>>;
};
