/** What is said to the simulator and what it tells, in this process or over HTTP. */

/**
 * What becomes of the next call: an answer with this status and, where there are two shapes of errors, the second one; silence until
 * it is closed; a connection cut after the page was made; a page without a link, or with one to somebody else's host; a web page.
 * `item`: a 400 that names this place of the list.
 */
export type Fault =
  | { status: number; shape?: 'error' | 'errors'; item?: number }
  | 'silence'
  | 'cut'
  | 'no_link'
  | 'foreign_link'
  | 'web_page';

export type Call = { at: string; path: string; status: number | null; body: Record<string, unknown> | null };

export type Ledger = {
  /** Every call to its API, refused ones too, oldest first. */
  calls: Call[];
  /** Measures it does not list: it made the page without them. */
  unlistedUnits: string[];
  /** Fields that its documentation takes back, and such as it never had. */
  deprecatedFields: string[];
  unknownFields: string[];
};
