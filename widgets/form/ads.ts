/**
 * Lets the blog's ad network recognize a reader who checked the box for it: the SHA-256 of their address, made here at that
 * press, given to the network's own script on this page, and kept and sent nowhere else. Any objection wins over the box.
 *
 * Raptive: https://help.raptive.com/hc/en-us/articles/31537909722267-How-to-set-up-the-Raptive-Identity-API
 * Mediavine: http://help.mediavine.com/en/articles/4836294-identity-api
 */
const SOURCE = 'creator-hq';
/** Whoever says nothing for so long has not agreed. */
const ASKS_FOR_MS = 1000;
/** Of the TCF: keep on a device, make a profile for ads, use it. */
const PURPOSES = [1, 3, 4];
/** Of every section of the GPP; 1 is an opt-out. */
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];

type Heard<Data> = (data: Data | null, success: boolean) => void;
type Ads = {
  __tcfapi?: (command: string, version: 2, heard: Heard<{ purpose?: { consents?: Record<number, boolean> } }>) => void;
  __gpp?: (command: string, heard: Heard<{ parsedSections?: Record<string, object | object[]> }>) => void;
  adthrive?: { identityApi?: (data: { source: string; sha256: string }) => void };
  $adManagementConfig?: { web?: { identityOptIn?: (data: { email: string }) => void } };
};

/** Whether no signal of the browser or of the site's consent tool objects. */
export async function mayRecognize(): Promise<boolean> {
  const { __tcfapi: tcf, __gpp: gpp } = window as Ads;
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) return false;
  if (tcf) {
    const data = await heardOf<{ purpose?: { consents?: Record<number, boolean> } }>((heard) =>
      tcf('getTCData', 2, heard),
    );
    if (!PURPOSES.every((purpose) => data?.purpose?.consents?.[purpose] === true)) return false;
  }
  if (gpp) {
    const data = await heardOf<{ parsedSections?: Record<string, object | object[]> }>((heard) => gpp('ping', heard));
    if (data === null) return false;
    const parts = Object.values(data.parsedSections ?? {}).flat() as Record<string, unknown>[];
    if (parts.some((part) => part.Gpc === true || OPT_OUTS.some((name) => part[name] === 1))) return false;
  }
  return true;
}

export async function recognize(email: string): Promise<void> {
  const { adthrive, $adManagementConfig: mediavine } = window as Ads;
  if (!adthrive?.identityApi && !mediavine?.web?.identityOptIn) return;
  try {
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(email.trim().toLowerCase()));
    const sha256 = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    if (adthrive?.identityApi) adthrive.identityApi({ source: SOURCE, sha256 });
    else mediavine?.web?.identityOptIn?.({ email: sha256 });
  } catch {
    // Their script's own trouble, or a page without TLS.
  }
}

function heardOf<Data>(ask: (heard: Heard<Data>) => void): Promise<Data | null> {
  return new Promise((resolve) => {
    setTimeout(resolve, ASKS_FOR_MS, null);
    try {
      ask((data, success) => resolve(success ? data : null));
    } catch {
      resolve(null);
    }
  });
}
