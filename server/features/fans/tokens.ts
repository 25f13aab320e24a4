/** The word of this hub that a blog's plugin checks without asking: see `MemberPass.php`. */
import { createHmac } from 'node:crypto';

/** After it the blog asks again whether it still is so. */
const ASK_AFTER_S = 3600;
/** A look at what members see. */
const PROBE_S = 600;
/** While this hub does not answer, a word holds so long. */
export const DEAD_AFTER_S = 31 * 86_400;

/**
 * @param key of the site, raw bytes
 * @param until when they read no more; null: nobody knows of an end
 */
export function memberToken(
  key: Buffer,
  { device, until, now }: { device: string; until: Date | null; now: Date },
): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = {
    device,
    until: until === null ? seconds + DEAD_AFTER_S : Math.floor(until.getTime() / 1000),
    askAfter: seconds + ASK_AFTER_S,
    deadAfter: seconds + DEAD_AFTER_S,
  };
  return signed(key, claims);
}

/** For a look by this hub itself: the plugin shows the marker in the place of what is locked. */
export function probeToken(
  key: Buffer,
  { device, marker, now }: { device: string; marker: string; now: Date },
): string {
  const until = Math.floor(now.getTime() / 1000) + PROBE_S;
  return signed(key, { device, until, askAfter: until, deadAfter: until, marker });
}

function signed(key: Buffer, claims: object): string {
  const said = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `chq1.${said}.${createHmac('sha256', key).update(`member pass\n${said}`).digest('base64url')}`;
}
