/** The product's rows, as the oracle reads them. */
import type { DeliveryRow, InteractionRow } from '#e2e/chaos/oracle.ts';

type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

export async function readRows(
  query: Query,
  creatorIds: string[],
): Promise<{ interactions: InteractionRow[]; deliveries: DeliveryRow[] }> {
  const interactions = await query<InteractionRow>(
    `select id, kind, platform_id as "platformId", outcome, reason from interactions
     where creator_id = any($1::uuid[]) order by id`,
    [creatorIds],
  );
  const deliveries = await query<DeliveryRow>(
    `select id, interaction_id as "interactionId", kind, state, recipient, coalesce(content ->> 'text', '') as text, uncertain,
            expires_at as "expiresAt", failure_detail as detail
     from deliveries where creator_id = any($1::uuid[]) order by id`,
    [creatorIds],
  );
  return { interactions, deliveries };
}
