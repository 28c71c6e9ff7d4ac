import { expect, test } from 'vitest'
import { listFriends } from '#contract/friends/endpoints.ts'
import {
  acceptInvitation,
  confirmAcceptance,
  createInvitation,
  getInvitation,
  withdrawInvitation,
} from '#contract/invitations/endpoints.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { openStream } from '#server/testing/stream-client.ts'

const messengers = ['NOTIFY', 'Redis'] as const satisfies Messenger[]

test.for(messengers)(
  'over %s a person at one process is asked about somebody who follows the link at another, and both hear that they are friends; a withdrawn link is over at both [PPL-07]',
  async (messenger, context) => {
    const { app, other, person, atOther } = await startTwoApps(messenger, context)
    const ana = await person()
    const ben = atOther(await person())
    const ofAna = await openStream(app, ana, { inbox: ana.me.id })
    const ofBen = await openStream(other, ben, { inbox: ben.me.id })
    const { id, token } = await ana.does(createInvitation)
    await ben.does(acceptInvitation, { input: { token } })
    expect(await ofAna.receives('invitation.accepted')).toMatchObject({ userId: ben.me.id })
    await ana.does(confirmAcceptance, { input: { userId: ben.me.id } })
    expect(await ofAna.receives('friend.added')).toMatchObject({ id: ben.me.id })
    expect(await ofBen.receives('friend.added')).toMatchObject({ id: ana.me.id })
    expect((await ben.does(listFriends)).map((friend) => friend.id)).toEqual([ana.me.id])
    await ana.does(withdrawInvitation, { params: { id } })
    expect((await ben.tries(getInvitation, { input: { token } })).code).toBe('InvitationNotFound')
  },
)
