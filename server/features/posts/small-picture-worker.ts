/** A thread of its own: taking a picture apart takes a tenth of a second, and what comes from outside may be broken on purpose. */
import { parentPort, workerData } from 'node:worker_threads';
import { crop, PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';

export type Wanted = { bytes: Uint8Array; width: number; height: number; quality: number };

const { bytes, width, height, quality } = workerData as Wanted;
const whole = PhotonImage.new_from_byteslice(bytes);
const [from, to] = [
  { width: whole.get_width(), height: whole.get_height() },
  { width, height },
];
// The middle of it, in the shape that is wanted.
const scale = Math.min(from.width / to.width, from.height / to.height);
const [x, y] = [Math.floor((from.width - to.width * scale) / 2), Math.floor((from.height - to.height * scale) / 2)];
const middle = crop(whole, x, y, x + Math.floor(to.width * scale), y + Math.floor(to.height * scale));
const small = scale > 1 ? resize(middle, to.width, to.height, SamplingFilter.Triangle) : middle;
parentPort!.postMessage(small.get_bytes_jpeg(quality));
