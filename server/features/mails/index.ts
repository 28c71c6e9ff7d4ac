import type { Config } from '#server/config.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import type { Feature, Needs } from '#server/feature.ts'
import { newId } from '#server/platform/ids.ts'
import { purgeMailLinks } from './links.ts'
import { addBounceReports } from './bounces.ts'
import { addMail, purgeMails, removeMailsTo } from './queries.ts'
import { mailRoutes } from './routes.ts'
import { type SenderDeps, startSendingMails } from './sender.ts'

export { addMailLink, findPersonOfMailLink, redeemMailLink } from './links.ts'
export type { LetterDeps, LetterWriter, AwayNotificationLetters } from './letters.ts'
export { addMail, findBounce } from './queries.ts'
export type { Letter } from './template.ts'

/** Adds the mails whose causes happen in other features. */
function queueMails(deps: SenderDeps & { events: DomainEvents; config: Config }) {
  const { config, events } = deps
  if (config.relay === undefined) return
  events.on('confirmationDue', (db, userId) => addMail(db, { id: newId(deps), kind: 'confirmation', userId }))
  events.on('passwordChanged', (db, userId) =>
    addMail(db, { id: newId(deps), kind: 'password-changed', userId }),
  )
}

export const feature = {
  // Foreign keys delete all other mails and the links of an account (S15).
  personalData: { remove: removeMailsTo },
  purges: {
    mails: ({ database }, signal) => purgeMails(database, signal),
    'mail links': ({ database }, signal) => purgeMailLinks(database, signal),
  },
  start: (deps: SenderDeps & Pick<Needs, 'events'>) => {
    queueMails(deps)
    return {
      routes: mailRoutes(deps),
      serve(server) {
        addBounceReports(server, deps)
        startSendingMails(server.app, deps)
      },
    }
  },
} satisfies Feature
