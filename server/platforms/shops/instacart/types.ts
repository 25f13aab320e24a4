/**
 * Instacart's Developer Platform, version 1 of its products. Facts: https://docs.instacart.com/developer_platform_api (recipe page,
 * shopping list page, units of measurement, errors), read from August to October 2026 [D]; what stands only in public code is [C].
 */
import * as z from 'zod/mini';

export type Measurement = { quantity: number; unit: string };

export type Ingredient = {
  name: string;
  display_text: string;
  upcs?: readonly string[];
  measurements?: Measurement[];
  filters?: { brand_filters: string[] };
};

export type LineItem = Omit<Ingredient, 'measurements'> & { line_item_measurements?: Measurement[] };

type Common = {
  title: string;
  image_url?: string;
  /** Days: a copy of its OpenAPI that says seconds is wrong. */
  expires_in: number;
  landing_page_configuration: { partner_linkback_url?: string; enable_pantry_items?: boolean };
};

export type RecipePage = Common & {
  author?: string;
  servings?: number;
  /** Minutes. */
  cooking_time?: number;
  external_reference_id: string;
  content_creator_credit_info?: string;
  ingredients: Ingredient[];
};

export type ListPage = Common & { link_type: 'shopping_list'; line_items: LineItem[] };

export const Answer = z.object({ products_link_url: z.string() });

/** Refusals come in two shapes; which call answers with which is not said. */
export const Refusal = z.union([
  z.object({ error: z.object({ message: z.string(), code: z.optional(z.number()) }) }),
  z.object({ errors: z.array(z.unknown()) }),
]);
