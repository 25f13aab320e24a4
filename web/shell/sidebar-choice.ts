/** Whether the sidebar stays open beside the page on wide screens; open until somebody closes it. */
const KEY = 'sidebar';

export function readSidebarOpen(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'closed';
  } catch {
    return true; // storage may be forbidden
  }
}

export function keepSidebarOpen(open: boolean): void {
  try {
    localStorage.setItem(KEY, open ? 'open' : 'closed');
  } catch {
    // It holds until the page is left.
  }
}
