import { qrPath } from '#web/features/settings/qr-path.ts';

/** Draws `text` as a QR code, black on white in both themes: scanners need that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = qrPath(text);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-md bg-[white]"
    >
      <path d={path} fill="black" />
    </svg>
  );
}
