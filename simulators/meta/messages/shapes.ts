import type { Platform, Switches } from '../control/types.ts';
import { GraphError } from '../graph/errors.ts';

const MAX_TEXT_BYTES_INSTAGRAM = 1000; // [D/N] bytes, not characters
const MAX_TEXT_CHARACTERS_MESSENGER = 2000; // [N/R]
const MAX_QUICK_REPLIES = 13; // [D]
const MAX_PAYLOAD = 1000; // [D] quick replies, [R] buttons
const MAX_TEMPLATE_TEXT = 640; // [D]
const MAX_BUTTONS = 3; // [D]
const MAX_TITLE = 20; // quick replies are truncated there [D]; for buttons [C]
const MAX_ELEMENTS = 10; // [D]
const MAX_ELEMENT_TEXT = 80; // [D]
const MEDIA_TYPES = new Set(['image', 'video', 'audio', 'file']);

type Json = Record<string, unknown>;

/**
 * Checks a message object as Meta would and gives it as it will be delivered (quick-reply titles cut).
 * @returns the message and whether it counts as media for the per-second limit
 * @throws GraphError 100 with the subcode of the reference's table
 */
export function checkMessage(
  message: Json,
  platform: Platform,
  privateReply: boolean,
  switches: Switches,
): { message: Json; media: boolean } {
  const contents = ['text', 'attachment', 'attachments'].filter(
    (key) => message[key] !== undefined && message[key] !== '',
  );
  if (contents.length === 0) throw refuse('(#100) Message cannot be empty, must provide valid attachment or text');
  if (contents.length > 1) throw refuse('(#100) Can not use both text and attachment', 2534015);
  if (message.text !== undefined) checkText(message.text, platform);
  if (message.attachment !== undefined)
    checkAttachment(record(message.attachment, 'attachment'), platform, privateReply, switches);
  if (message.attachments !== undefined) checkSeveral(message.attachments, switches);
  const media =
    message.attachments !== undefined ||
    MEDIA_TYPES.has(String((message.attachment as Json | undefined)?.type).toLowerCase());
  if (media && privateReply && !switches.mediaInPrivateReply) throw refuse(undefined, 2534015);
  return message.quick_replies === undefined
    ? { message, media }
    : { message: withQuickReplies(message, privateReply, switches), media };
}

function checkText(text: unknown, platform: Platform): void {
  if (typeof text !== 'string') throw refuse('(#100) Param message[text] must be a string');
  const tooLong =
    platform === 'instagram'
      ? text.length * 3 > MAX_TEXT_BYTES_INSTAGRAM && Buffer.byteLength(text) > MAX_TEXT_BYTES_INSTAGRAM
      : text.length > MAX_TEXT_CHARACTERS_MESSENGER;
  if (tooLong) {
    const limit = platform === 'instagram' ? MAX_TEXT_BYTES_INSTAGRAM : MAX_TEXT_CHARACTERS_MESSENGER;
    throw refuse(`(#100) Length of param message[text] must be less than or equal to ${limit}`);
  }
}

function withQuickReplies(message: Json, privateReply: boolean, switches: Switches): Json {
  if (privateReply && !switches.quickRepliesInPrivateReply) throw refuse(undefined, 2534015);
  if (typeof message.text !== 'string') throw refuse('(#100) Quick replies need a text', 2534015);
  const replies = message.quick_replies;
  if (!Array.isArray(replies) || replies.length === 0)
    throw refuse('(#100) Param message[quick_replies] must be a non-empty array');
  if (replies.length > MAX_QUICK_REPLIES)
    throw refuse(`(#100) Param message[quick_replies] must have at most ${MAX_QUICK_REPLIES} elements`);
  const cut = replies.map((reply) => {
    const one = record(reply, 'quick_replies');
    if (one.content_type === 'text') {
      if (typeof one.title !== 'string' || one.title === '') throw refuse('(#100) A quick reply needs a title');
      if (typeof one.payload !== 'string' || one.payload.length > MAX_PAYLOAD)
        throw refuse(`(#100) A quick reply needs a payload of at most ${MAX_PAYLOAD} characters`);
      return { ...one, title: [...one.title].slice(0, MAX_TITLE).join('') };
    }
    // `user_email` and `user_phone_number` were switched off on 2026-10-05 [D].
    throw refuse('(#100) Invalid content_type of a quick reply');
  });
  return { ...message, quick_replies: cut };
}

function checkAttachment(attachment: Json, platform: Platform, privateReply: boolean, switches: Switches): void {
  const type = String(attachment.type);
  if (type === 'template') {
    if (privateReply && platform === 'instagram' && !switches.templatesInPrivateReply) throw refuse(undefined, 2534015);
    checkTemplate(record(attachment.payload, 'payload'), platform);
  } else if (MEDIA_TYPES.has(type)) {
    checkMedia(record(attachment.payload, 'payload'));
  } else if (type === 'MEDIA_SHARE' && platform === 'instagram') {
    if (typeof record(attachment.payload, 'payload').id !== 'string')
      throw refuse('(#100) MEDIA_SHARE needs the id of your media');
  } else if (type !== 'like_heart' || platform !== 'instagram') {
    throw refuse('(#100) Invalid attachment type', 2534015);
  }
}

function checkSeveral(attachments: unknown, switches: Switches): void {
  if (!Array.isArray(attachments) || attachments.length === 0)
    throw refuse('(#100) Param message[attachments] must be a non-empty array');
  if (attachments.length > 1 && !switches.multipleImages) throw refuse(undefined, 2534068);
  for (const attachment of attachments) {
    const one = record(attachment, 'attachments');
    if (one.type !== 'image') throw refuse('(#100) Only images can be sent together', 2534015);
    checkMedia(record(one.payload, 'payload'));
  }
}

function checkMedia(payload: Json): void {
  if (typeof payload.attachment_id === 'string') return;
  // Meta fetches the address itself; the simulator does not (see DIFFERENCES.md), but refuses what Meta could never fetch.
  if (typeof payload.url !== 'string' || !/^https?:\/\//.test(payload.url)) throw refuse(undefined, 2018008);
}

function checkTemplate(payload: Json, platform: Platform): void {
  if (payload.template_type === 'button') {
    if (typeof payload.text !== 'string' || payload.text === '' || [...payload.text].length > MAX_TEMPLATE_TEXT) {
      throw refuse(`(#100) Param text of the button template must have 1 to ${MAX_TEMPLATE_TEXT} characters`);
    }
    checkButtons(payload.buttons, platform, 1);
  } else if (payload.template_type === 'generic') {
    const elements = payload.elements;
    if (!Array.isArray(elements) || elements.length === 0 || elements.length > MAX_ELEMENTS)
      throw refuse(`(#100) The generic template needs 1 to ${MAX_ELEMENTS} elements`);
    for (const element of elements) checkElement(record(element, 'elements'), platform);
  } else {
    throw refuse('(#100) Invalid template_type', 2534015);
  }
}

function checkElement(element: Json, platform: Platform): void {
  if (typeof element.title !== 'string' || element.title === '' || [...element.title].length > MAX_ELEMENT_TEXT) {
    throw refuse(`(#100) An element needs a title of at most ${MAX_ELEMENT_TEXT} characters`);
  }
  if (typeof element.subtitle === 'string' && [...element.subtitle].length > MAX_ELEMENT_TEXT) {
    throw refuse(`(#100) A subtitle may have at most ${MAX_ELEMENT_TEXT} characters`);
  }
  if (element.buttons !== undefined) checkButtons(element.buttons, platform, 0);
}

function checkButtons(buttons: unknown, platform: Platform, least: number): void {
  if (!Array.isArray(buttons) || buttons.length < least || buttons.length > MAX_BUTTONS)
    throw refuse(`(#100) A template takes ${least} to ${MAX_BUTTONS} buttons`);
  for (const button of buttons) {
    const one = record(button, 'buttons');
    if (typeof one.title !== 'string' || one.title === '' || [...one.title].length > MAX_TITLE)
      throw refuse(`(#100) A button needs a title of at most ${MAX_TITLE} characters`);
    if (one.type === 'web_url') {
      if (typeof one.url !== 'string' || !/^https?:\/\//.test(one.url))
        throw refuse('(#100) A web_url button needs an http address');
    } else if (one.type === 'postback') {
      if (typeof one.payload !== 'string' || one.payload.length > MAX_PAYLOAD)
        throw refuse(`(#100) A postback button needs a payload of at most ${MAX_PAYLOAD} characters`);
    } else if (platform === 'instagram' || typeof one.type !== 'string') {
      throw refuse('(#100) Only web_url and postback buttons are supported', 2534015);
    }
  }
}

function record(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw refuse(`(#100) Param ${name} must be an object`);
}

function refuse(message: string | undefined, subcode?: number): GraphError {
  return new GraphError(100, subcode, message === undefined ? {} : { message });
}

/** The text a follower reads: the text of a message whatever its shape. */
export function textOf(message: Json): string {
  if (typeof message.text === 'string') return message.text;
  const payload = (message.attachment as { payload?: Json } | undefined)?.payload;
  if (typeof payload?.text === 'string') return payload.text;
  const elements = payload?.elements;
  return Array.isArray(elements)
    ? elements.map((element: Json) => [element.title, element.subtitle].filter(Boolean).join('\n')).join('\n')
    : '';
}

/** The buttons a follower can tap, in order: templates' buttons, then quick replies. */
export function buttonsOf(
  message: Json,
): { kind: 'web_url' | 'postback' | 'quick_reply'; title: string; url?: string; payload?: string }[] {
  const payload = (message.attachment as { payload?: Json } | undefined)?.payload;
  const elements = Array.isArray(payload?.elements) ? (payload.elements as Json[]) : [];
  const templateButtons = [payload?.buttons, ...elements.map((element) => element.buttons)]
    .filter(Array.isArray)
    .flat() as Json[];
  const quickReplies = Array.isArray(message.quick_replies) ? (message.quick_replies as Json[]) : [];
  return [
    ...templateButtons.map((button) => ({
      kind: button.type as 'web_url' | 'postback',
      title: String(button.title),
      ...(typeof button.url === 'string' ? { url: button.url } : {}),
      ...(typeof button.payload === 'string' ? { payload: button.payload } : {}),
    })),
    ...quickReplies.map((reply) => ({
      kind: 'quick_reply' as const,
      title: String(reply.title ?? ''),
      payload: String(reply.payload ?? ''),
    })),
  ];
}
