import type { FastifyReply } from 'fastify'
import { cut } from '#contract/text.ts'

/** A file that is kept by whoever asks for it, never shown in the page. */
export class Download {
  readonly type: string
  /** Of people; it may say anything. */
  readonly title: string
  readonly extension: string
  readonly content: Buffer
  constructor(parts: { type: string; title: string; extension: string; content: Buffer }) {
    this.type = parts.type
    this.title = parts.title
    this.extension = parts.extension
    this.content = parts.content
  }
}

export function sendDownload(reply: FastifyReply, { type, title, extension, content }: Download) {
  const name = `${nameFrom(title)}.${extension}`
  return reply
    .header('content-type', type)
    .header(
      'content-disposition',
      `attachment; filename="story.${extension}"; filename*=UTF-8''${encoded(name)}`,
    )
    .send(content)
}

/** What every system takes as the name of a file, and what cannot show another ending than it has. */
const nameFrom = (title: string) =>
  cut(title.replace(/[\s\p{Cc}\p{Bidi_Control}"*/:<>?\\|]+/gu, ' '), 80).replace(/^[\s.]+|[\s.]+$/g, '') ||
  'story'

/** As RFC 8187 has it, which takes less than an address does. */
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
