import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { SendingAnswers, streamedPerPerson } from './sending.ts'

function startWith({ perOwner = streamedPerPerson } = {}) {
  const sending = new SendingAnswers(() => 0)
  const open = (destroyed = false) => {
    const fake = { destroyed, destroy: () => void (response.destroyed = true) }
    const response = Object.assign(new EventEmitter(), fake) as unknown as ServerResponse
    return response
  }
  const reserve = (owner: string) => {
    const response = open()
    sending.reserveStreamed(response, owner, perOwner)
    return response
  }
  /** Sends a text to a reader, who may have left. */
  const send = (owner: string, text: string, { hasLeft = false } = {}) => {
    const response = open(hasLeft)
    sending.add(response, text, () => owner)
    return response
  }
  /** Owners who hold all the places of their own, until the server has none left. */
  const fill = (kind = 'person') => {
    const held = []
    for (let person = 0; person < 10_000; person++) {
      for (let n = 0; n < perOwner; n++) {
        try {
          held.push(reserve(`${kind} ${person}`))
        } catch {
          return held
        }
        if (held.some(({ destroyed }) => destroyed)) return held
      }
    }
    throw new Error('The places have no bound.')
  }
  return { reserve, fill, send }
}

test('when all places for long lists are taken, somebody who holds none gets one of a person who holds most [R24 R25]', () => {
  const { reserve, fill } = startWith()
  const held = fill()
  const before = held.filter(({ destroyed }) => destroyed).length
  const newcomer = reserve('person new')
  expect(newcomer.destroyed).toBe(false)
  expect(held.filter(({ destroyed }) => destroyed)).toHaveLength(before + 1)
})

test('visitors who hold one long list each keep no person from theirs [R24 R25]', () => {
  const { reserve, fill } = startWith({ perOwner: 1 })
  const held = fill('address')
  expect(() => reserve('address new')).toThrow(expect.objectContaining({ code: 'Unavailable' }))
  expect(reserve('person ana').destroyed).toBe(false)
  expect(held.map(({ destroyed }) => destroyed)).toEqual(held.map((_list, place) => place === 0))
})

test('a person who has four long lists is refused a fifth with 429, and gets it when one has ended [R25]', () => {
  const { reserve } = startWith()
  const lists = [1, 2, 3, 4].map(() => reserve('person ana'))
  expect(() => reserve('person ana')).toThrow(expect.objectContaining({ code: 'TooManyRequests' }))
  lists[0]!.emit('close')
  expect(reserve('person ana').destroyed).toBe(false)
  expect(lists.every(({ destroyed }) => !destroyed)).toBe(true)
})

test('answers whose readers have left before the start do not count, and end no answer that is being read [R25]', () => {
  const { send } = startWith()
  const text = 'x'.repeat(32 * 1024 * 1024)
  const read = send('person ana', text)
  for (let n = 0; n < 20; n++) send('person ana', text, { hasLeft: true })
  expect(read.destroyed).toBe(false)
  for (let n = 0; n < 20; n++) send('person ana', text)
  expect(read.destroyed).toBe(true)
})
