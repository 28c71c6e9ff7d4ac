import { QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { readAgain } from './read-again.ts'

/** Lists that a page shows. The server answers each request when the test says so. */
function openLists(...names: string[]) {
  const client = createQueryClient()
  const requests = new Map<string, PromiseWithResolvers<string>[]>(names.map((name) => [name, []]))
  for (const name of names) {
    const queryFn = () => {
      const request = Promise.withResolvers<string>()
      requests.get(name)!.push(request)
      return request.promise
    }
    const list = new QueryObserver(client, { queryKey: [name], queryFn, retry: false })
    onTestFinished(list.subscribe(() => {}))
  }
  const countOf = (name: string) => requests.get(name)!.length
  const answer = async (name: string, text: string) => {
    requests.get(name)!.at(-1)!.resolve(text)
    await expect.poll(() => client.getQueryData([name])).toBe(text)
  }
  return { client, requests, countOf, answer }
}

test('a list that is read for the first time during two changes is read once more after its answer [R8]', async () => {
  const { client, countOf, answer } = openLists('friends')
  for (let n = 0; n < 2; n++) void readAgain(client, { queryKey: ['friends'] })
  expect(countOf('friends')).toBe(1)
  await answer('friends', 'from before the changes')
  await expect.poll(() => countOf('friends')).toBe(2)
  await answer('friends', 'from after the changes')
  expect(countOf('friends')).toBe(2)
})

test('a list that has its answer is read once more, also while another one is read for the first time', async () => {
  const { client, countOf, answer } = openLists('friends', 'messages')
  await answer('friends', 'Ben')
  void readAgain(client, {})
  expect(countOf('friends')).toBe(2)
  await answer('friends', 'Ben and Cleo')
  await answer('messages', 'none')
  await expect.poll(() => countOf('messages')).toBe(2)
  expect(countOf('friends')).toBe(2)
})

test('a change does not wait for the first read of a list that no page shows, and the next page that shows it reads it again', async () => {
  const client = createQueryClient()
  const before = Promise.withResolvers<string>()
  const reading = client.fetchQuery({ queryKey: ['friends'], queryFn: () => before.promise })
  await readAgain(client, {})
  before.resolve('from before the change')
  await reading
  await expect.poll(() => client.getQueryState(['friends'])!.isInvalidated).toBe(true)
})

test('a list that could not be read for the first time is not read once more', async () => {
  const { client, requests, countOf } = openLists('friends')
  void readAgain(client, { queryKey: ['friends'] })
  requests.get('friends')![0]!.reject(new Error('404'))
  await expect.poll(() => client.getQueryState(['friends'])!.status).toBe('error')
  expect(countOf('friends')).toBe(1)
})
