/**
 * Amazon as a program meets it: short hosts that lead on, and product pages whose gate turns programs away. Hosts are the first part of
 * the path (`/amzn.to/pan`), so that one server is all of them; see ../README.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type AmazonWeb = {
  url: string;
  /** Hosts that are to be asked here instead. */
  hosts: ReadonlyMap<string, string>;
  /** What was asked for, as `host/path`. */
  asked: string[];
  close(): Promise<void>;
};

const PRODUCT = 'https://www.amazon.com/Cast-Iron-Pan/dp/B08N5WRWNW';
const GONE = 404;
const GATE = 503;

/** Where short addresses lead. */
const SHORT: Readonly<Record<string, string>> = {
  'amzn.to/pan': `${PRODUCT}?tag=annacooks-20&linkCode=ll1&ref_=as_li_ss_tl`,
  'amzn.to/theirs': `${PRODUCT}?tag=somebody-20`,
  'amzn.to/untagged': PRODUCT,
  'amzn.to/round': 'https://amzn.to/round',
  'amzn.to/away': 'https://www.amazon.com.evil.example/dp/B08N5WRWNW',
  'amzn.to/inside': 'http://169.254.169.254/latest/meta-data/',
  'a.co/d/two': 'https://amzn.to/pan',
  'amzn.eu/d/de': 'http://www.amazon.de/dp/B08N5WRWNW?tag=annacooks-21&ref=x',
  'amzn.asia/d/jp': '/d/next',
  'amzn.asia/d/next': 'https://www.amazon.co.jp/gp/product/B08N5WRWNW',
};

/** @param port 0 or absent: any free one. Listens on 127.0.0.1. */
export async function startAmazonWeb({ port = 0 }: { port?: number } = {}): Promise<AmazonWeb> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [place = ''] = request.url!.slice(1).split('?');
    asked.push(place);
    const to = SHORT[place];
    if (to !== undefined) return response.writeHead(301, { location: to }).end();
    if (place.includes('/dp/')) return response.writeHead(GATE).end('<title>Robot Check</title>captcha');
    response.writeHead(GONE).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['amzn.to', 'a.co', 'amzn.eu', 'amzn.asia', 'www.amazon.com', 'www.amazon.de', 'www.amazon.co.jp'];
  return {
    url,
    hosts: new Map(names.map((name) => [name, `${url}/${name}`])),
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
