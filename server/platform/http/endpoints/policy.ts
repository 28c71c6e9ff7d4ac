import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import { archiveEndpoints } from '#contract/archive/archive-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { Refused } from '../refusal.ts'

type ViewerKind = 'visitor' | 'guest' | 'user' | 'moderator' | 'admin'

interface SessionInfo {
  /** SHA-256 of the token. */
  tokenHash: string
  /** Whether the person proved who they are within the last 15 minutes, by the clock of the database alone. */
  isFresh: boolean
  /** What the token of the call may do. Undefined for the session of a browser. 'export': only read an archive (S62). */
  scopes?: readonly (TokenScope | 'export')[]
}

/** The kinds of viewers with an account. */
export type Registered = 'user' | 'moderator' | 'admin'

export interface Visitor {
  kind: 'visitor'
}
export interface SignedIn<Kind extends ViewerKind = 'guest' | Registered> {
  kind: Kind
  id: string
  session: SessionInfo
}
/** The caller, known by the session alone. */
export type Viewer = Visitor | SignedIn

/** The id of a guest or a registered person; null for a visitor. */
export const idOf = (viewer: Viewer): string | null => (viewer.kind === 'visitor' ? null : viewer.id)

/** The id of a registered person; null for visitors and guests. */
export const registeredIdOf = (viewer: Viewer): string | null =>
  viewer.kind === 'visitor' || viewer.kind === 'guest' ? null : viewer.id

/** For each kind of viewer: `true` if it may make the call, or the status of the refusal. */
export interface Policy<V extends Viewer = Viewer> {
  visitor: true | 401
  guest: true | 401 | 403
  user: true | 403
  moderator: true | 403
  admin: true
  /** The answer is the same for everybody, so that no session is looked up. */
  ignoresSession?: true
  /** The scope that an API token needs for the call; 'any' when every token may make it. A call without a scope takes no token (S61). */
  scope?: TokenScope | 'any'
  /** The sentence of a 401, where the one of its code is not precise enough. */
  signIn?: string
  /** Never set: gives handlers the type of the viewers that pass. */
  passes?: V
}

export const everyone: Policy = { visitor: true, guest: true, user: true, moderator: true, admin: true }
/** For an answer that is the same for everybody: no session is looked up. */
export const sameForAll: Policy<Visitor> = { ...everyone, ignoresSession: true } as Policy<Visitor>
export const guestsToo: Policy<SignedIn> = {
  visitor: 401,
  guest: true,
  user: true,
  moderator: true,
  admin: true,
}
export const people: Policy<SignedIn<Registered>> = {
  visitor: 401,
  guest: 403,
  user: true,
  moderator: true,
  admin: true,
}
/** For data that guests keep in their browser: a guest is answered as if the session were missing. */
export const writers: Policy<SignedIn<Registered>> = {
  visitor: 401,
  guest: 401,
  user: true,
  moderator: true,
  admin: true,
}
/** For the review of posts, reports and suspensions. Admins may do all that moderators may. */
export const moderators: Policy<SignedIn<'moderator' | 'admin'>> = {
  visitor: 401,
  guest: 403,
  user: 403,
  moderator: true,
  admin: true,
}
export const admins: Policy<SignedIn<'admin'>> = {
  visitor: 401,
  guest: 403,
  user: 403,
  moderator: 403,
  admin: true,
}

export const toldToSignIn = <V extends Viewer>(policy: Policy<V>, signIn: string): Policy<V> => ({
  ...policy,
  signIn,
})

/** Lets API tokens with this scope, or with 'any' all of them, make the call for people who may make it themselves. */
export const withScope = <V extends Viewer>(scope: TokenScope | 'any', policy: Policy<V>): Policy<V> => ({
  ...policy,
  scope,
})

/** Whether the viewer may do what the scope names: without an API token, or with one that has the scope. */
export const hasScope = (viewer: Viewer, scope: TokenScope): boolean =>
  viewer.kind === 'visitor' || (viewer.session.scopes?.includes(scope) ?? true)

/**
 * Refuses the call of an API token that lacks the scope. Without a scope it refuses the call of every token. The token of a
 * suspended person makes the calls of an archive alone.
 */
export function requireScope(viewer: Viewer, scope: Policy['scope'], endpoint?: Endpoint): void {
  if (viewer.kind === 'visitor' || viewer.session.scopes === undefined) return
  const isOfExport = viewer.session.scopes.includes('export')
  if (isOfExport && archiveEndpoints.some((each) => each === endpoint)) return
  if (scope === 'any' && !isOfExport) return
  if (scope === undefined || scope === 'any') throw new Refused('TokenNotAllowed')
  if (hasScope(viewer, scope)) return
  throw new Refused('TokenNotAllowed', { error: `This call needs a token with the scope "${scope}".` })
}
