import { createApiToken, endApiToken, listApiTokens } from '#contract/account/tokens/endpoints.ts'
import { tokensMax } from '#contract/account/tokens/rules.ts'
import { done } from '#contract/schemas.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import { addApiToken, countApiTokens, listApiTokensOf, removeApiToken } from './api-tokens.ts'
import { requireFreshSignIn } from './fresh-sign-in.ts'

/** Counts after the check of the sign-in: otherwise a stolen session could use up the calls of its person. */
const creations: LimitRule = { name: 'new-api-tokens', count: 20, seconds: 3600, by: 'person' }

/** The API tokens of a person, as the person makes, sees and ends them. */
export const apiTokenRoutes: readonly Route[] = [
  handle(listApiTokens, people, ({ db, viewer }) => listApiTokensOf(db, viewer.id)),

  handle(createApiToken, people, { answersSecret: true }, async (call) => {
    const { db, viewer, input, limit, audit, fail } = call
    await requireFreshSignIn(call, 'SignInAgainForToken')
    await limit(creations)
    if ((await countApiTokens(db, viewer.id)) >= tokensMax) fail('TooManyApiTokens')
    const added = await addApiToken(db, call, { userId: viewer.id, ...input })
    await audit('api-token-created', { subjectId: added.id })
    return added
  }),

  handle(endApiToken, people, async ({ db, viewer, params, audit, fail }) => {
    if (!(await removeApiToken(db, viewer.id, params.id))) fail('ApiTokenNotFound')
    await audit('api-token-ended', { subjectId: params.id })
    return done
  }),
]
