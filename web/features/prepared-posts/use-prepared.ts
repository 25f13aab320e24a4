import { getAutomation, listAutomations } from '#contract/automations.ts';
import { getPost, listPosts } from '#contract/posts.ts';
import {
  attachPreparedPost,
  detachPreparedPost,
  listCaptionWarnings,
  listPreparedPosts,
  listWakingPosts,
} from '#contract/prepared-posts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';

/** Queries an attachment changes. */
const REFRESHES = [
  listPreparedPosts,
  listCaptionWarnings,
  listWakingPosts,
  listAutomations,
  getAutomation,
  listPosts,
  getPost,
] as const;

export function useAttach() {
  return useEndpointMutation(attachPreparedPost, { refreshes: REFRESHES, successToast: { title: 'Attached' } });
}

export function useDetach() {
  return useEndpointMutation(detachPreparedPost, { refreshes: REFRESHES });
}
