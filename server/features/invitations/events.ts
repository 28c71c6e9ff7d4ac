import type { InboxEventLoaders } from '#server/features/inbox/index.ts'
import { listWaitingAcceptances } from './queries.ts'

/** Loads the contents of the events of invitations: the people who still wait for an answer. */
export const invitationEventLoaders: Pick<InboxEventLoaders, 'invitation.accepted'> = {
  'invitation.accepted': async (db, inviterId, events) => {
    const waiting = new Map((await listWaitingAcceptances(db, inviterId)).map((each) => [each.userId, each]))
    return events.map(({ otherPersonId }) => waiting.get(otherPersonId!))
  },
}
