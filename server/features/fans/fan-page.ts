import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Creator } from './entering.ts';

export type Fields = Record<string, string>;
/** A request below `/join/{handle}`, with the fields of its form. */
export type Asked = { creator: Creator; request: FastifyRequest; reply: FastifyReply; fields: Fields };
/** @param path below `/join/:handle` */
export type On = (method: 'GET' | 'POST', path: string, answer: (asked: Asked) => Promise<FastifyReply>) => void;
