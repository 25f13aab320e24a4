import { encode } from 'uqr';

/** @returns its dark squares as the path of a drawing of `size` by `size`, with the quiet zone of four that ISO 18004 wants */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  return { path: data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ''))).join(''), size };
}
