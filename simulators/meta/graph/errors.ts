/** An answer that is a Graph error. Thrown by rules, written by the router. */
export class GraphError extends Error {
  readonly code: number;
  readonly subcode: number | undefined;
  readonly status: number;
  readonly headers: Record<string, string> | undefined;

  constructor(
    code: number,
    subcode?: number,
    options: { message?: string; status?: number; headers?: Record<string, string> } = {},
  ) {
    const known = findError(code, subcode);
    super(options.message ?? known.message);
    this.code = code;
    this.subcode = subcode;
    this.status = options.status ?? known.status;
    this.headers = options.headers;
  }
}

interface KnownError {
  message: string;
  /** [?] Meta does not list the HTTP status per error: 400 mostly, 403 observed for window and consent, 5xx for 1 and 2. */
  status: number;
}

/**
 * Every row of the reference's table 4.3, by `code` or `code/subcode`. Texts are ours in Meta's manner: nobody may branch on them.
 * Tags are the reference's.
 */
const ERRORS: Record<string, [message: string, status?: number]> = {
  '1': ['An unknown error has occurred.', 500],
  '1/99': ['An unknown error occurred: the permission or access level is missing'],
  '1/1357046': ['The message was sent, but the answer could not be built.', 500],
  '2': ['An unexpected error has occurred. Please retry your request later.', 503],
  '2/2018344': ['(#2) The Page has not accepted the privacy terms', 503],
  '3': ['(#3) Application does not have the capability to make this API call.'],
  '4': ['(#4) Application request limit reached', 403],
  '4/2018022': ['(#4) Too many sends to phone numbers', 403], // [C]
  '9': ['(#9) Too many actions of this kind'],
  '9/2018352': ['(#9) Too many actions of this kind'],
  '10': ['(#10) Application does not have permission for this action', 403],
  '10/2534022': ['(#10) This message is sent outside of allowed window.', 403],
  '10/2018278': ['(#10) This message is sent outside of allowed window.', 403],
  '10/2018065': ['(#10) This message is sent outside of allowed window; the news permission is needed.', 403],
  '10/2018108': ['(#10) This person cannot receive messages right now.', 403],
  '10/2534077': ['(#10) The link between Instagram account, Page and person is broken.', 403],
  '10/1893063': ['(#10) This account is temporarily barred from messaging.', 403],
  '17': ['(#17) User request limit reached'],
  '17/2446079': ['(#17) User request limit reached'],
  '32': ['(#32) Page request limit reached'],
  '80001': ['(#80001) There have been too many calls to this Page account.'],
  '80002': ['(#80002) There have been too many calls to this Instagram account.'],
  '80004': ['(#80004) There have been too many calls to this ad account.'],
  '80006': ['(#80006) There have been too many calls to this Messenger account.'],
  '100': ['(#100) Invalid parameter'],
  '100/33': [
    'Unsupported request. The object does not exist, cannot be loaded due to missing permissions, or does not support this operation',
  ],
  '100/2018001': ['(#100) No matching user found'],
  '100/2534014': ['(#100) No matching user found'],
  '100/2534015': ['(#100) The message data is not allowed for this type'],
  '100/2534013': ['(#100) The Page is not linked to an Instagram account'],
  '100/2534025': ['(#100) The comment is invalid for a private reply'],
  '100/2534029': ['(#100) The account is blocked from the Instagram Messaging API'],
  '100/2534037': ['(#100) The app is not the owner of this thread'],
  '100/2018300': ['(#100) The app is not the owner of this thread'],
  '100/2018008': ['(#100) Failed to fetch the file from the url'],
  '100/2018047': ['(#100) Upload attachment failure'],
  '100/2018109': ['(#100) The attachment is too large'],
  '100/2018294': ['(#100) The video upload timed out'],
  '100/2534068': ['(#100) Several images in one message are not enabled'],
  '102': ['(#102) Session key invalid or no longer valid', 401],
  '190': ['Invalid OAuth access token.', 401],
  '190/458': ['Error validating access token: The user has not authorized application.', 401],
  '190/459': ['Error validating access token: You cannot access the app till you log in to www.facebook.com.', 401],
  '190/460': [
    'Error validating access token: The session has been invalidated because the user changed their password.',
    401,
  ],
  '190/463': ['Error validating access token: Session has expired.', 401], // [C]
  '190/464': [
    'Error validating access token: Sessions for the user are not allowed because the user is not a confirmed user.',
    401,
  ], // [C/R]
  '190/467': ['Error validating access token: The access token is invalid.', 401], // [C/R]
  '190/492': ['Error validating access token: The user no longer has a role on this Page.', 401], // [R]
  '200': ['(#200) The permission needed is missing', 403],
  '200/2018027': ['(#200) The recipient is not a tester of the app', 403],
  '200/2018028': ['(#200) The recipient is not a tester of the app', 403],
  '200/1545041': ['(#200) This person is unavailable', 403],
  '200/2534041': ['(#200) The owner has switched off message access for connected tools', 403],
  '230': ['User consent is required to access user profile', 403],
  '341': ['(#341) Application limit reached'],
  '368': ['The action attempted has been deemed abusive or is otherwise disallowed'],
  '506': ['(#506) Duplicate status message'],
  '551': ["(#551) This person isn't available right now."],
  '551/1545041': ["(#551) This person isn't available right now."],
  '613': ['(#613) Calls to this api have exceeded the rate limit.'],
  '613/1996': ['(#613) Calls to this api have exceeded the rate limit: unusual traffic.'],
  '613/2534040': ['(#613) Calls to the Instagram messaging API have exceeded the rate limit.'],
  '613/2018338': ['(#613) Messages with tags look like spam.'],
  '2022': ['(#2022) The Page is blocked from sending messages for now.'],
  '2018218': ['(#2018218) The profile is unavailable'],
  '2018247': ['(#2018247) The profile is unavailable'],
  '2534122': ['(#2534122) Instagram messaging is restricted'], // [C]
  '9000001': ['(#9000001) The message has been deleted'],
  '9010': ['(#9010) No matching Instagram user'], // [C]
  '10900': ['(#10900) The activity was already replied to'], // [C]
  '10903': ["(#10903) This user can't reply to this activity"], // [C]
};

/** The rows, as `[code, subcode]`: a test walks them all. */
export const ERROR_ROWS: readonly [code: number, subcode: number | undefined][] = Object.keys(ERRORS).map((key) => {
  const [code, subcode] = key.split('/').map(Number);
  return [code!, subcode];
});

function findError(code: number, subcode: number | undefined): KnownError {
  const row = (subcode === undefined ? undefined : ERRORS[`${code}/${subcode}`]) ?? ERRORS[String(code)];
  return { message: row?.[0] ?? `(#${code}) Error`, status: row?.[1] ?? 400 };
}

/**
 * The body of a Graph error.
 * @param instagram whether graph.instagram.com answers: its type is `IGApiException` except for token errors [C]
 */
export function errorBody(error: GraphError, instagram: boolean, trace: string): string {
  const type =
    error.code === 190 || error.code === 102 || !instagram
      ? error.subcode === 33
        ? 'GraphMethodException'
        : 'OAuthException'
      : 'IGApiException';
  return JSON.stringify({
    error: {
      message: error.message,
      type,
      code: error.code,
      ...(error.subcode === undefined ? {} : { error_subcode: error.subcode }),
      ...(error.code === 1 || error.code === 2 ? { is_transient: true } : {}),
      fbtrace_id: trace,
    },
  });
}
