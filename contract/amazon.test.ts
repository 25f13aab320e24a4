import { describe, expect, test } from 'vitest';
import { type AmazonPage, asinOf, isTagOfElsewhere, looksLikeAmazon, readAmazon, withTag } from './amazon.ts';
import { AMAZON_MARKETPLACES, type AmazonMarketplace } from './shops.ts';

const A = 'B08N5WRWNW';
const MARKETPLACES = Object.keys(AMAZON_MARKETPLACES) as AmazonMarketplace[];

describe('products', () => {
  test.each(MARKETPLACES.flatMap((name) => ['www.', 'smile.', 'm.', ''].map((before) => [name, before] as const)))(
    'of %s, with "%s"',
    (marketplace, before) => {
      expect(readAmazon(`https://${before}${marketplace}/dp/${A}`)).toEqual({
        ...{ marketplace, page: 'product', asin: A, tag: null, title: null },
        address: `https://www.${marketplace}/dp/${A}`,
      });
    },
  );

  test.each([
    `/dp/${A}`,
    `/dp/${A}/`,
    `/dp/${A.toLowerCase()}`,
    `/dp/${A}/ref=sr_1_3`,
    `/dp/${A}?ref=cm_sw_r_apan_dp_XYZ`,
    `/dp/${A}?pf_rd_r=1&pf_rd_p=2&pd_rd_w=3&pd_rd_r=4&qid=1700000000&sr=8-3&crid=2M&dib=eyJ&dib_tag=se&keywords=skillet&sprefix=s`,
    `/dp/${A}?linkCode=ll1&linkId=abc&language=en_US&ref_=as_li_ss_tl`,
    `/dp/${A}#customerReviews`,
    `/dp/product/${A}`,
    `/gp/product/${A}`,
    `/gp/product/${A}/ref=ppx_yo_dt_b_asin_title_o00_s00?ie=UTF8`,
    `/gp/product/glance/${A}`,
    `/gp/aw/d/${A}`,
    `/gp/aw/d/${A}/?_encoding=UTF8&pd_rd_plhdr=t`,
    `/gp/aw/ol/${A}`,
    `/exec/obidos/ASIN/${A}`,
    `/exec/obidos/asin/${A}/`,
    `/o/ASIN/${A}`,
    `/product-reviews/${A}`,
    `/product-reviews/${A}/ref=cm_cr_dp_d_show_all_btm?ie=UTF8&reviewerType=all_reviews`,
    `/gp/offer-listing/${A}`,
    `/gp/offer-listing/${A}/ref=dp_olp_new?condition=new`,
    `/gp/product?asin=${A}`,
    `/gp/something.html?ASIN=${A}`,
  ])('by %s', (path) => {
    expect(readAmazon(`https://www.amazon.com${path}`)).toEqual({
      ...{ marketplace: 'amazon.com', page: 'product', asin: A, tag: null, title: null },
      address: `https://www.amazon.com/dp/${A}`,
    });
  });

  test.each([
    [`/Lodge-Cast-Iron-Skillet/dp/${A}`, 'Lodge Cast Iron Skillet'],
    [`/Lodge-Cast-Iron-Skillet/dp/${A}/ref=sr_1_3?keywords=x`, 'Lodge Cast Iron Skillet'],
    [`/K%C3%BCchenmaschine-wei%C3%9F/dp/${A}`, 'Küchenmaschine weiß'],
    [`/Bad-%E0%A4%A/dp/${A}`, 'Bad %E0%A4%A'],
    [`/12345/dp/${A}`, null],
    [`/${'very-long-'.repeat(40)}/dp/${A}`, 'very long '.repeat(10)],
  ])('the title of %s', (path, title) => {
    expect(readAmazon(`https://www.amazon.com${path}`)).toMatchObject({ asin: A, title });
  });

  test.each([
    [`/-/es/dp/${A}`, `/-/es/dp/${A}`],
    [`/-/de/Pfanne/dp/${A}?th=1`, `/-/de/dp/${A}?th=1`],
    [`/-/en/gp/product/${A}`, `/-/en/dp/${A}`],
    [
      `/dp/${A}?th=1&psc=1&tag=anna-20&ascsubtag=mail&m=SELLER&smid=A2`,
      `/dp/${A}?th=1&psc=1&tag=anna-20&ascsubtag=mail&m=SELLER&smid=A2`,
    ],
    [`/dp/${A}?almBrandId=QW1hem9uIEZyZXNo&fpw=alm&s=x`, `/dp/${A}?almBrandId=QW1hem9uIEZyZXNo&fpw=alm`],
    [`/dp/${A}?tag=anna-20&tag=evil-20`, `/dp/${A}?tag=anna-20`],
    [`/dp/${A}?tag=`, `/dp/${A}`],
    ['/dp/0306406152', '/dp/0306406152'],
    ['/dp/080442957x', '/dp/080442957X'],
  ])('%s is written %s', (path, written) => {
    expect(readAmazon(`http://amazon.com${path}`)?.address).toBe(`https://www.amazon.com${written}`);
  });

  test.each([
    ['amzn.com/B08N5WRWNW', 'https://www.amazon.com/dp/B08N5WRWNW'],
    ['www.amzn.com/dp/B08N5WRWNW?tag=anna-20', 'https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20'],
  ])('by %s', (typed, address) => {
    expect(readAmazon(`https://${typed}`)).toMatchObject({
      page: 'product',
      marketplace: 'amazon.com',
      asin: A,
      address,
    });
  });
});

describe('other pages', () => {
  test.each<[AmazonPage, string, string]>([
    ['search', '/s?k=cast+iron&i=garden&ref=nb_sb_noss&crid=1&sprefix=cast', '/s?k=cast%20iron&i=garden'],
    ['search', '/s/ref=nb?field-keywords=pan&tag=anna-20', '/s?field-keywords=pan&tag=anna-20'],
    ['search', '/s?i=kitchen&rh=n%3A284507%2Cp_36%3A-2500&qid=1', '/s?i=kitchen&rh=n%3A284507%2Cp_36%3A-2500'],
    ['search', '/gp/search?k=pan', '/gp/search?k=pan'],
    ['category', '/b?node=284507&ref_=nav', '/b?node=284507'],
    ['category', '/b/ref=x?ie=UTF8&node=284507', '/b?node=284507'],
    ['category', '/gp/browse.html?node=1&tag=anna-20', '/gp/browse.html?node=1&tag=anna-20'],
    ['storefront', '/shop/annacooks', '/shop/annacooks'],
    ['storefront', '/shop/annacooks/list/1ABCDEF?ref_=aip_sf_list_spv', '/shop/annacooks/list/1ABCDEF'],
    [
      'storefront',
      '/shop/annacooks/photo/amzn1.ideas.1?tag=onamz-20',
      '/shop/annacooks/photo/amzn1.ideas.1?tag=onamz-20',
    ],
    ['brand', '/stores/Lodge/page/1234-ABCD?ref_=ast_bln', '/stores/Lodge/page/1234-ABCD'],
    ['brand', '/stores/page/1234-ABCD', '/stores/page/1234-ABCD'],
    ['list', '/hz/wishlist/ls/2ABC?ref_=wl_share', '/hz/wishlist/ls/2ABC'],
    ['list', '/gp/registry/wishlist/2ABC/ref=cm', '/gp/registry/wishlist/2ABC'],
    ['list', '/ideas/amzn1.account.AF/1XYZ', '/ideas/amzn1.account.AF/1XYZ'],
    ['list', '/registry/wishlist/2ABC', '/registry/wishlist/2ABC'],
    ['fresh', '/alm/storefront?almBrandId=QW1hem9uIEZyZXNo&ref=x', '/alm/storefront?almBrandId=QW1hem9uIEZyZXNo'],
    [
      'cart',
      `/gp/aws/cart/add.html?AssociateTag=anna-20&ASIN.1=${A}&Quantity.1=2&x=1`,
      `/gp/aws/cart/add.html?AssociateTag=anna-20&ASIN.1=${A}&Quantity.1=2`,
    ],
    ['cart', '/gp/cart/view.html?ref_=nav_cart', '/gp/cart/view.html'],
    ['page', '/', '/'],
    ['page', '/gp/bestsellers/kitchen?tag=anna-20&pf_rd_p=1', '/gp/bestsellers/kitchen?tag=anna-20'],
    ['page', '/dp/B08N5WRWNWX', '/dp/B08N5WRWNWX'],
    ['page', '/dp/0306406153', '/dp/0306406153'],
  ])('%s: %s', (page, path, written) => {
    expect(readAmazon(`https://www.amazon.com${path}`)).toMatchObject({
      ...{ page, asin: null, address: `https://www.amazon.com${written}` },
    });
  });

  test.each(['amzn.to/3xYzAbC', 'a.co/d/1AbCdEf', 'amzn.eu/d/1AbCdEf', 'amzn.asia/d/1AbCdEf', 'amzn.in/d/1AbC'])(
    'short: %s',
    (typed) => {
      expect(readAmazon(`http://${typed}?x=1`)).toEqual({
        ...{ marketplace: null, page: 'short', asin: null, tag: null, title: null, address: `https://${typed}` },
      });
    },
  );
});

const NOT_AMAZON = [
  ...['https://amazon.evil.com/dp/B08N5WRWNW', 'https://amazon.com.evil.com/dp/B08N5WRWNW'],
  ...['https://аmazon.com/dp/B08N5WRWNW', 'https://www.аmazon.com/dp/B08N5WRWNW', 'https://amazоn.de/dp/B08N5WRWNW'],
  ...[
    'https://arnazon.com/dp/B08N5WRWNW',
    'https://amaz0n.com/',
    'https://my-amazon.com/',
    'https://amazon-deals.shop/',
  ],
  ...['https://www.amazon.com@evil.com/dp/B08N5WRWNW', 'https://amzn.to.evil.com/3x', 'https://xamazon.com/'],
];

describe('not Amazon', () => {
  test.each([
    ...NOT_AMAZON,
    ...['https://user:pass@www.amazon.com/', 'https://www.amazon.com:8443/dp/B08N5WRWNW', 'ftp://www.amazon.com/'],
    ...[
      'javascript:alert("amazon.com")',
      'amazon.com/dp/B08N5WRWNW',
      '',
      'https://music.amazon.com/albums/B0',
      'https://amzn.to/',
    ],
    ...[
      'https://s3.amazonaws.com/dp/B08N5WRWNW',
      'https://www.amazon.evil/',
      'https://constructor/',
      'https://www.amazon.com./dp/B0',
    ],
  ])('%s', (typed) => {
    expect(readAmazon(typed)).toBeNull();
  });

  test.each(NOT_AMAZON.slice(0, -3))('but %s looks like it', (typed) => {
    expect(looksLikeAmazon(typed)).toBe(true);
  });

  test.each([
    ...['https://www.amazon.de/', 'https://amzn.to/3x', 'https://music.amazon.com/', 'https://anna.example/amazon'],
    ...['https://s3.amazonaws.com/x', 'https://en.wikipedia.org/wiki/Amazon', '', 'amazing.example'],
  ])('and %s does not', (typed) => {
    expect(looksLikeAmazon(typed)).toBe(false);
  });
});

describe('tags', () => {
  const tagged = (typed: string, tag: string | null) => withTag(readAmazon(typed)!, tag);
  const product = `https://www.amazon.com/dp/${A}`;

  test.each([
    [product, 'anna-20', `${product}?tag=anna-20`],
    [`${product}?th=1&tag=old-20&ascsubtag=x`, 'anna-20', `${product}?th=1&tag=anna-20`],
    [`${product}?th=1&tag=anna-20&ascsubtag=x`, 'anna-20', `${product}?th=1&ascsubtag=x&tag=anna-20`],
    [`${product}?th=1&tag=anna-20&ascsubtag=x`, null, `${product}?th=1`],
    [
      `https://www.amazon.com/gp/aws/cart/add.html?AssociateTag=x-20&ASIN.1=${A}`,
      'anna-20',
      `https://www.amazon.com/gp/aws/cart/add.html?ASIN.1=${A}&AssociateTag=anna-20`,
    ],
    [
      `https://www.amazon.com/gp/aws/cart/add.html?tag=x-20&AssociateTag=y-20&ASIN.1=${A}`,
      null,
      `https://www.amazon.com/gp/aws/cart/add.html?ASIN.1=${A}`,
    ],
    [
      `https://www.amazon.com/gp/cart/view.html?tag=x-20&AssociateTag=anna-20`,
      'anna-20',
      'https://www.amazon.com/gp/cart/view.html?AssociateTag=anna-20',
    ],
    [product, 'a&b=c#d', `${product}?tag=a%26b%3Dc%23d`],
  ])('%s with %s', (typed, tag, written) => {
    expect(tagged(typed, tag)).toBe(written);
    expect(readAmazon(written)?.tag).toBe(tag);
  });

  test('nobody knows what is in a short one', () => {
    expect(tagged('https://amzn.to/3x', 'anna-20')).toBeNull();
    expect(tagged('https://amzn.to/3x', null)).toBeNull();
  });

  test('that end as those of another country', () => {
    expect(isTagOfElsewhere('amazon.de', 'anna-20')).toBe(true);
    expect(isTagOfElsewhere('amazon.de', 'anna-21')).toBe(false);
    expect(isTagOfElsewhere('amazon.com', 'anna-21')).toBe(true);
    expect(isTagOfElsewhere('amazon.com', 'annas')).toBe(false);
    expect(isTagOfElsewhere('amazon.sa', 'anna-20')).toBe(false);
  });
});

test('products have their own numbers, books an old one with a check digit', () => {
  expect(['B08N5WRWNW', 'b08n5wrwnw', '0306406152', '080442957X'].map(asinOf)).not.toContain(null);
  expect(['A08N5WRWNW', '0306406153', 'B08N5WRWN', 'B08N5WRWNWW', '', null, 'X306406152'].map(asinOf)).toEqual(
    Array(7).fill(null),
  );
});
