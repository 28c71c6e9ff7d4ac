import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PlatformSettings } from '#server/platform/settings.ts'

/** The name and attributes of the session cookie (S21). */
export function sessionCookie({ publicOrigin }: Pick<PlatformSettings, 'publicOrigin'>) {
  const secure = publicOrigin?.startsWith('https:') ?? false
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
  return { name: secure ? '__Host-sid' : 'sid', options }
}

/** The cookie of a browser that has signed in before (S54). It outlives sessions and opens none. */
export function deviceCookie(config: Pick<PlatformSettings, 'publicOrigin'>) {
  const { options } = sessionCookie(config)
  return { name: options.secure ? '__Host-device' : 'device', options }
}

/** The cookie that binds an attempt to sign in by OpenID Connect to the browser. */
export function openidCookie(config: Pick<PlatformSettings, 'publicOrigin'>) {
  const { options } = sessionCookie(config)
  return { name: options.secure ? '__Host-openid' : 'openid', options }
}

/** A readable cookie: the page knows before its first paint whether to expect a session. It grants nothing. */
const mark = 'signed-in'

/** Whether the browser expects a session. */
export const hasSessionMark = ({ cookies }: FastifyRequest): boolean => cookies[mark] === '1'

export function setSessionCookies(
  reply: FastifyReply,
  config: PlatformSettings,
  token: string,
  maxAge: number,
) {
  const { name, options } = sessionCookie(config)
  reply.setCookie(name, token, { ...options, maxAge })
  reply.setCookie(mark, '1', { ...options, httpOnly: false, maxAge })
}

export function clearSessionCookies(reply: FastifyReply, config: PlatformSettings) {
  const { name, options } = sessionCookie(config)
  reply.clearCookie(name, options)
  reply.clearCookie(mark, { ...options, httpOnly: false })
}
