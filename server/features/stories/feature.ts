import { sql } from 'kysely';
import * as stories from '#contract/stories.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerStories } from './routes.ts';
import { storyJobs } from './story-sync.ts';

export const feature: Feature = {
  contract: { stories },
  routes: registerStories,
  jobs: storyJobs,
  holds: {
    stories: { exported: { as: 'stories' }, account: 'goes', comesLate: true },
    story_pictures: {
      exported: { leftOut: 'pictures, not text; each can be saved from its story' },
      // At once when the creator took the story down before its time.
      ages: [
        {
          keep: 'storyPicturesDays',
          at: sql`(
            select case when s.ended_at < s.expires_at - interval '1 minute' then '-infinity' else s.posted_at end
            from stories s where s.creator_id = story_pictures.creator_id and s.id = story_pictures.story_id)`,
        },
      ],
    },
  },
};
