import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { demoMessagePrices, demoTipAmounts, demoTipItemOf, premiumOf, supportOf, tipOf } from './tips.ts'

const itemOf = (id: string) => demoTipItemOf({ id, name: 'Ana Lima', category: 'Poetry' })

test('a demo tip item names creator, avatar, category and both prices [TIP-05]', () => {
  expect(itemOf('ana')).toEqual({
    creatorName: 'Ana Lima',
    creatorId: 'ana',
    avatar: 'AL',
    category: 'Poetry',
    tipAmount: expect.any(Number),
    messagePrice: expect.any(Number),
  })
})

test('demo tips are 5, 8 or 10 dollars, and each of them occurs [TIP-06]', () => {
  expect(demoTipAmounts).toEqual([5, 8, 10])
  expect(new Set(['a', 'b', 'c'].map((id) => itemOf(id).tipAmount))).toEqual(new Set([5, 8, 10]))
})

test('demo messages are 3, 5 or 7 dollars, and each of them occurs [TIP-07]', () => {
  expect(demoMessagePrices).toEqual([3, 5, 7])
  expect(new Set(['a', 'b', 'c'].map((id) => itemOf(id).messagePrice))).toEqual(new Set([3, 5, 7]))
})

test('a creator has the same demo item every time, with amounts of the lists [TIP-05 TIP-06 TIP-07]', () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      const item = itemOf(id)
      expect(itemOf(id)).toEqual(item)
      expect(demoTipAmounts).toContain(item.tipAmount)
      expect(demoMessagePrices).toContain(item.messagePrice)
    }),
  )
})

const ana = { id: 'ana', name: 'Ana Lima', category: 'Poetry' }

test('the tip of a portfolio is $5 [TIP-08]', () => {
  expect(tipOf(ana).offers).toEqual([{ label: 'A tip of $5', amount: 5, toast: expect.any(String) }])
})

test('the messaging fee is $5 monthly [TIP-09]', () => {
  expect(premiumOf(ana).offers).toEqual([
    {
      label: 'Messages with Premium for $5 monthly',
      amount: 5,
      toast: expect.stringContaining('$5 monthly'),
    },
  ])
})

test('every toast names creator and amount and says that nothing was charged [TIP-10]', () => {
  for (const payment of [supportOf(ana), tipOf(ana), premiumOf(ana)])
    for (const { toast, amount } of payment.offers) {
      expect(toast).toContain('Ana Lima')
      expect(toast).toContain(`$${amount}`)
      expect(toast).toMatch(/demo: nothing was charged\.$/)
    }
})
