import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { type BounceKind, bounceKinds } from '#contract/mails/mail.ts'
import { AnyText } from '#contract/schemas.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { keyFor } from '#server/platform/instance.ts'

/** A relay says that an address takes no mails, or that its person does not want them. */
export interface Bounce {
  address: string
  kind: BounceKind
  reason: string
}

/** What a relay posts as JSON. A temporary failure is accepted and changes nothing: the relay tries again. */
const BounceList = z.object({
  bounces: z
    .array(
      z.object({
        email: AnyText(320),
        kind: z.enum([...bounceKinds, 'temporary']),
        reason: z.optional(AnyText(1000)),
      }),
    )
    .check(z.maxLength(100)),
})

export function readBounceList(body: object): Bounce[] {
  const { success, data } = BounceList.safeParse(body)
  if (!success) throw new Refused('InvalidInput')
  return data.bounces.flatMap(({ email, kind, reason = '' }) =>
    kind === 'temporary' ? [] : { address: email.trim().toLowerCase(), kind, reason },
  )
}

/** Proves that a Message-ID is that of a mail to an address: anybody can send a report that names an address. */
const proofOf = (mail: { id: string; to: string }, secret: string): string =>
  createHmac('sha256', keyFor('mail bounces', secret))
    .update(`${mail.id} ${mail.to}`)
    .digest('hex')
    .slice(0, 32)

interface SentMail {
  id: string
  to: string
  domain: string
}

export const messageIdOf = ({ id, to, domain }: SentMail, secret: string): string =>
  `<${id}.${proofOf({ id, to }, secret)}@${domain}>`

/**
 * Reads a message of a mail server that a mail came back (RFC 3464). Undefined when it is none, is not about a mail of this
 * installation, or does not say that there is no such mailbox.
 */
export function readReport(message: string, secret: string): Bounce | undefined {
  const { fields, body } = partOf(message)
  const type = fields.get('content-type') ?? ''
  const [, boundary] = /;\s*boundary="?([^\s";]{1,70})/i.exec(type) ?? []
  if (boundary === undefined || !/^multipart\/report\b.*report-type="?delivery-status\b/i.test(type))
    return undefined
  const parts = body.split(`--${boundary}`).map((part) => partOf(part.replace(/^\r?\n/, '')))
  const find = (types: RegExp) => parts.find(({ fields: own }) => types.test(own.get('content-type') ?? ''))
  const status = find(/^message\/(global-)?delivery-status\b/i)
  const returned = find(/^(message\/(rfc822|global)|text\/rfc822-headers|message\/global-headers)\b/i)
  if (status === undefined || returned === undefined) return undefined
  const said = fieldsOf(status.body)
  if (!/^failed\b/i.test(said.get('action') ?? '') || !noMailbox.test(said.get('status') ?? ''))
    return undefined
  const sent = partOf(returned.body).fields
  const [, id = '', proof = ''] = /^<([\da-f-]{36})\.([\da-f]{32})@/.exec(sent.get('message-id') ?? '') ?? []
  const [address = ''] = /[^\s<>]+@[^\s<>]+/.exec(sent.get('to') ?? '') ?? []
  const wanted = proofOf({ id, to: address }, secret)
  if (proof.length !== wanted.length || !timingSafeEqual(Buffer.from(proof), Buffer.from(wanted)))
    return undefined
  return { address, kind: 'permanent', reason: said.get('diagnostic-code') ?? said.get('status')! }
}

/** Refusals of a full mailbox, of a text and by a rule do not concern the address (RFC 3463). */
const noMailbox = /^5\.([014]\.|2\.1\b)/

function partOf(text: string): { fields: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  return { fields: fieldsOf(head), body: end === null ? '' : text.slice(end.index + end[0].length) }
}

/** The fields of headers, unfolded, by their names in lower case. Of equal names the last one counts. */
function fieldsOf(head: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return fields
}
