import type { AutomationInput } from '#contract/automations.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getPost } from '#contract/posts.ts';

/** Props of each part of the editor: the automation as it stands, and a way to change a field of it. */
export type FieldsProps = {
  input: AutomationInput;
  set: <F extends keyof AutomationInput>(field: F, value: AutomationInput[F]) => void;
  /** The objection beside a field (`buttons.0.url`); undefined while there is none. */
  errorOf: (path: string) => string | undefined;
};

/** A post with what its panel knows of it. */
export type EditedPost = ResponseOf<typeof getPost>;

/** The post, story or live whose panel this is. */
export type EditedPlace = Pick<EditedPost, 'id' | 'caption' | 'suggestedWords' | 'pictureUrl'> &
  Partial<Pick<EditedPost, 'reconciliation'>>;
