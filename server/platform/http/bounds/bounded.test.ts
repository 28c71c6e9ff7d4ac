import { expect, test } from 'vitest'
import { Bounded } from './bounded.ts'

function startWith(bounds: ConstructorParameters<typeof Bounded>[0]) {
  const evicted: string[] = []
  const bounded = new Bounded(bounds)
  const add = (owner: string, bytes: number, shared?: object) => {
    const name = `${owner} ${bytes}`
    const held = { owner, bytes, evict: () => void evicted.push(name), ...(shared && { shared }) }
    bounded.add(held)
    return held
  }
  return { bounded, add, evicted }
}

test('over the bound of all the oldest of the owner who holds most is evicted, and an older one of somebody else stays [R24 R25]', () => {
  const { add, evicted } = startWith({ bytes: 100, ofOwner: { bytes: 100, count: 10 } })
  add('honest', 20)
  add('greedy', 30)
  add('greedy', 31)
  add('other', 10)
  expect(evicted).toEqual([])
  add('newcomer', 15)
  expect(evicted).toEqual(['greedy 30'])
  add('greedy', 40)
  expect(evicted).toEqual(['greedy 30', 'greedy 31'])
})

test('over the bound of an owner the oldest of that owner is evicted, and the newest always stays [R25]', () => {
  const { bounded, add, evicted } = startWith({ bytes: 1000, ofOwner: { bytes: 50, count: 2 } })
  add('other', 400)
  expect(evicted).toEqual([])
  add('ana', 10)
  add('ana', 11)
  add('ana', 12)
  expect(evicted).toEqual(['ana 10'])
  add('ana', 90)
  expect(evicted).toEqual(['ana 10', 'ana 11', 'ana 12'])
  expect([...bounded]).toHaveLength(2)
})

test('a buffer that many hold counts once, and what is removed counts no more [R24]', () => {
  const { bounded, add, evicted } = startWith({ bytes: 100, ofOwner: { bytes: 60, count: 10 } })
  const page = {}
  const readers = ['ana', 'ben', 'cleo'].map((name) => add(name, 80, page))
  expect(evicted).toEqual([])
  for (const reader of readers) bounded.remove(reader)
  add('dora', 50)
  add('emil', 50)
  expect(evicted).toEqual([])
})
