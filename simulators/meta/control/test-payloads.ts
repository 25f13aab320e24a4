/**
 * The payload of the dashboard's "Send to My Server": ids that nobody knows, and for messages a timestamp that is text in seconds [C].
 * Must be answered with 200 and ignored.
 */
export function testPayload(field: string, now: number): string {
  const time = Math.floor(now / 1000);
  if (field === 'comments' || field === 'live_comments') {
    const value = {
      from: { id: '232323232', username: 'test' },
      media: { id: '123123123', media_product_type: 'FEED' },
      id: '17865799348089039',
      parent_id: '1231231234',
      text: 'This is an example.',
    };
    return JSON.stringify({ object: 'instagram', entry: [{ id: '0', time, changes: [{ field, value }] }] });
  }
  if (field === 'feed') {
    const value = {
      item: 'comment',
      verb: 'add',
      post_id: '44444444_444444444',
      comment_id: '444444444_4444',
      message: 'Example post content.',
      created_time: time,
    };
    return JSON.stringify({ object: 'page', entry: [{ id: '0', time, changes: [{ field, value }] }] });
  }
  const value = {
    sender: { id: '12334' },
    recipient: { id: '23245' },
    timestamp: '1527459824',
    message: { mid: 'random_mid', text: 'random_text' },
  };
  return JSON.stringify({ object: 'instagram', entry: [{ id: '0', time, changes: [{ field, value }] }] });
}
