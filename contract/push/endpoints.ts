import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Done } from '#contract/schemas.ts'
import { pushDevicePath as path } from './path.ts'

const pushEndpointMax = 2000

/** Whether the browser of the session gets pushes. */
export const PushDevice = z.object({
  /** The key with which a browser subscribes, in base64url. Pushes are signed with its other half. */
  publicKey: z.string(),
  /** Where the browser gets pushes; null when it gets none. */
  endpoint: z.nullable(z.string()),
})
export type PushDevice = z.infer<typeof PushDevice>

export const getPushDevice = endpoint({
  summary: 'Answers whether the browser of the session gets pushes, and the key with which it subscribes.',
  method: 'GET',
  path,
  output: PushDevice,
})

export const savePushDevice = endpoint({
  summary: 'Sends pushes to the browser of the session from now on.',
  description: 'The input is the subscription of the browser. It takes the place of an earlier one.',
  method: 'PUT',
  path,
  input: z.object({
    endpoint: z.string().check(z.maxLength(pushEndpointMax), z.regex(/^https:[\x21-\x7e]+$/)),
    /** In base64url: a point of the curve P-256, and 16 bytes. */
    p256dh: z.string().check(z.regex(/^B[\w-]{86}$/)),
    auth: z.string().check(z.regex(/^[\w-]{22}$/)),
  }),
  output: Done,
})

export const deletePushDevice = endpoint({
  summary: 'Sends no more pushes to the browser of the session.',
  method: 'DELETE',
  path,
  output: Done,
})
