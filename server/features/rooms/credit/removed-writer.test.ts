import { expect, test } from 'vitest'
import { addFriend } from '#contract/friends/endpoints.ts'
import { getReceipt } from '#contract/rooms/credit/endpoints.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { createRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { hostTable, takeSeat } from '#contract/rooms/table/endpoints.ts'
import { receiptOf, sealOf } from '#server/testing/proved-story.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('a writer whom the creator has removed from a private table gets the receipt of the own passages, and nobody else does [CRED-04 TURN-17]', async () => {
  const { person, clock } = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, cleo, dan] = [await person(), await person(), await person(), await person()]
  const friends = [ben.me.id, cleo.me.id]
  for (const friendUserId of friends) await ana.does(addFriend, { input: { friendUserId } })
  const { id } = await ana.does(createRoom, {
    input: aRoom({ isPublic: false, turns: 'round', invitedFriends: friends }),
  })
  const params = { id }
  await ben.does(takeSeat, { params })
  await ana.does(sendPassage, { params, input: { content: 'It was late.', turn: 1 } })
  await ben.does(sendPassage, { params, input: { content: 'It rained.', turn: 2 } })
  for (const userId of friends) await ana.does(hostTable, { params, input: { act: 'remove', userId } })
  const refused = { status: 403, code: 'PrivateRoom' }
  expect(await ben.tries(listPassages, { params })).toMatchObject(refused)
  const before = await receiptOf(ben, id)
  for (const each of [cleo, dan]) expect(await each.tries(getReceipt, { params })).toMatchObject(refused)
  clock.advance(31 * 60_000)
  const seal = await sealOf(ana, id)
  for (const receipt of [before, await receiptOf(ben, id)]) {
    expect(receipt).not.toContain('It was late.')
    expect(verify([seal, receipt])).toMatchObject({ outcome: 'verified', own: [2] })
  }
})
