export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** @param amount in cents */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
}

/** @param width `wide`: tables, and forms beside each other */
export function htmlPage(title: string, body: string, width: 'narrow' | 'wide' = 'narrow'): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>body{font:16px/1.5 system-ui;max-width:26rem;margin:2rem auto;padding:0 1rem;color:#1a1f36;background:#fff}
label{display:block;margin:.75rem 0}input,select{font:inherit;display:block;width:100%;box-sizing:border-box;padding:.6rem;border:1px solid #8792a2;border-radius:6px}
button{font:inherit;padding:.7rem 1rem;border:0;border-radius:6px;background:#0a2540;color:#fff;width:100%;margin:.5rem 0}
button.quiet{background:#e3e8ee;color:#1a1f36}aside{font-size:.85rem;color:#545969}.error{color:#b3093c}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .5rem .3rem 0}${width === 'wide' ? WIDE : ''}</style>
<aside>Play money. This stands in for Stripe.</aside><h1>${escaped(title)}</h1>${body}</html>`;
}

const WIDE = `body{max-width:64rem}h2{margin-top:2rem}table{display:block;overflow-x:auto;margin:.5rem 0}.row{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}
form{display:inline-flex;flex-wrap:wrap;gap:.5rem;align-items:end}label{margin:0}button{width:auto;margin:0;padding:.6rem .9rem}td{white-space:nowrap}td button{padding:.2rem .6rem}`;
