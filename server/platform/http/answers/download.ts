import type { FastifyReply } from 'fastify'
import { fileName } from '#contract/saving/file-name.ts'

/** A file that a browser saves and never shows. */
export class Download {
  readonly type: string
  /** Text of a person, from which the name of the file is made. */
  readonly title: string
  /** The name of the file when the title has no usable characters, and for browsers that read ASCII alone. */
  readonly plainName: string
  readonly extension: string
  readonly content: Buffer
  constructor(parts: { type: string; title: string; plainName: string; extension: string; content: Buffer }) {
    this.type = parts.type
    this.title = parts.title
    this.plainName = parts.plainName
    this.extension = parts.extension
    this.content = parts.content
  }
}

export function sendDownload(reply: FastifyReply, { type, title, plainName, extension, content }: Download) {
  return reply
    .header('content-type', type)
    .header(
      'content-disposition',
      `attachment; filename="${plainName}.${extension}"; filename*=UTF-8''${encoded(fileName(title, plainName, extension))}`,
    )
    .send(content)
}

/** Encodes a name for `filename*` (RFC 8187), which allows fewer characters than a URL. */
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
