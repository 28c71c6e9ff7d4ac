import type { InboxEventLoaders } from '#server/features/inbox/index.ts'

export const passwordResetEventLoaders: Pick<InboxEventLoaders, 'password.reset-link'> = {
  'password.reset-link': async (_db, _personId, events) => events.map(({ madeAt }) => ({ madeAt: madeAt! })),
}
