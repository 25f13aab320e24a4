import { qrPath } from '#web/features/settings/qr-path.ts';

/** For print. */
const PIXELS = 1024;

/** Saves a QR code as a file of the creator’s own. */
export async function downloadQr(text: string, kind: 'svg' | 'png', name: string): Promise<void> {
  const image = kind === 'png' ? await drawn(text) : new Blob([svgOf(text)], { type: 'image/svg+xml' });
  const url = URL.createObjectURL(image);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.${kind}` });
  link.click();
  URL.revokeObjectURL(url);
}

function svgOf(text: string): string {
  const { path, size } = qrPath(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;
}

function drawn(text: string): Promise<Blob> {
  const { path, size } = qrPath(text);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PIXELS;
  const draw = canvas.getContext('2d')!;
  draw.fillStyle = '#fff';
  draw.fillRect(0, 0, PIXELS, PIXELS);
  draw.scale(PIXELS / size, PIXELS / size);
  draw.fillStyle = '#000';
  draw.fill(new Path2D(path));
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob!), 'image/png'));
}
