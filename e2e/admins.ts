/** Admins in journeys: made by the operator's command, inside an account through the admin area. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ResponseOf } from '#contract/endpoint.ts';
import { startSecondFactor } from '#contract/session.ts';
import { codeOf } from '#server/testing/authenticator.ts';
import { expect, PASSWORD, type RunningApp, signUp, type Visit } from './journey.ts';

/** Signs somebody up and lets them into the admin area, as an operator would: `npm run admin -- grant EMAIL`. */
export async function becomeAdmin(app: RunningApp, visit: Visit, email: string): Promise<void> {
  await signUp(visit, { name: 'Sam of support', email });
  await promisify(execFile)(process.execPath, ['scripts/admin.ts', 'grant', email], {
    env: { ...process.env, DATA_DIR: app.dataDir, SIMULATORS: 'on', BASE_URL: app.url },
  });
  await setUpTwoStepLogin(visit);
}

/** The admin area asks for it before it opens. */
async function setUpTwoStepLogin(visit: Visit): Promise<void> {
  const { page } = visit;
  await page.goto('/creator-hq/admin');
  await expect(page.getByRole('heading', { name: 'Set up two-step login first' })).toBeVisible();
  await visit.checkBothThemes('Two-step login asked of an admin');
  await page.getByLabel('Your password').fill(PASSWORD);
  const begun = page.waitForResponse((response) => response.url().endsWith(startSecondFactor.path));
  await page.getByRole('button', { name: 'Set up' }).click();
  const { totpUri } = (await (await begun).json()) as ResponseOf<typeof startSecondFactor>;
  await page.getByLabel('6 digits').fill(codeOf(totpUri, 0));
  await visit.checkBothThemes('Two-step login set up by an admin');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('heading', { name: 'Creators' })).toBeVisible();
}

/** Enters the demo creator's account; ends on its home screen. */
export async function enterAsAdmin(visit: Visit, reason: string): Promise<void> {
  const { page } = visit;
  // Something new inside the account may be asked for just while the way out is taken: support may not see it any more.
  visit.expectComplaint(/404 \(Not Found\) \(.*\/api\/v1\/creators\//);
  await page.goto('/creator-hq/admin?search=thegoldenspoon');
  await page.getByRole('button', { name: 'Enter @thegoldenspoon' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await expect(page).toHaveURL(/\/creator-hq$/);
  await expect(page.getByRole('link', { name: 'Exit Admin Access Mode' })).toBeVisible();
}
