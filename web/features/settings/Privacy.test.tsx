import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { serve } from '#web/features/feed/testing.tsx'
import { ana, guest, show, startFakes } from '#web/shell/testing.tsx'
import { SettingsPage } from './SettingsPage.tsx'

startFakes()

const names = ['Show my name in Z!mmers', 'Show when I am in a Z!mmer or writing'] as const
const find = (name: string) => screen.findByRole<HTMLButtonElement>('switch', { name })
const states = () => screen.getAllByRole('switch').map((each) => each.getAttribute('aria-checked') === 'true')
const untilShown = (...expected: boolean[]) => waitFor(() => expect(states()).toEqual(expected))
async function press(name: string) {
  fireEvent.click(await find(name))
}

type Answers = Parameters<typeof serve>[0]

function openSettings(user: User | null, answers: Answers = {}) {
  const stored = { showName: false, presence: true }
  const sent = serve({
    'GET /api/me/settings': () => ({ body: stored }),
    'PATCH /api/me/settings': ({ body }) => ({ body: Object.assign(stored, body) }),
    ...answers,
  })
  show(<SettingsPage />, { at: '/settings', user })
  return {
    stored,
    changes: () => sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body),
    sent,
  }
}

test('a person says whether passages carry their name, and whether others see them in a room [RVIEW-12 RVIEW-18]', async () => {
  const { stored, changes } = openSettings(ana)
  await find(names[0])
  expect(states()).toEqual([false, true])
  await press(names[0])
  await untilShown(true, true)
  await press(names[1])
  await untilShown(true, false)
  await waitFor(() => expect(changes()).toEqual([{ showName: true }, { presence: false }]))
  expect(stored).toEqual({ showName: true, presence: false })
})

test('what is pressed quickly is shown at once and sent in turn, and the last word counts', async () => {
  const { stored, changes } = openSettings(ana)
  const [first, serve] = [Promise.withResolvers<void>(), globalThis.fetch]
  let begun = 0
  globalThis.fetch = async (path, init) => {
    if (init?.method === 'PATCH' && ++begun === 1) await first.promise
    return serve(path, init)
  }
  for (const isOn of [false, true, false]) {
    await press(names[1])
    await untilShown(false, isOn)
  }
  expect(begun).toBe(1)
  first.resolve()
  await vi.waitFor(() =>
    expect(changes()).toEqual([{ presence: false }, { presence: true }, { presence: false }]),
  )
  expect(stored).toEqual({ showName: false, presence: false })
  expect(states()).toEqual([false, false])
})

test('a change that is refused is told, and the switch is as it was; the other one keeps its change', async () => {
  const { stored } = openSettings(ana)
  const [refused, serve] = [Promise.withResolvers<void>(), globalThis.fetch]
  globalThis.fetch = async (path, init) => {
    if (!(init?.body as string | undefined)?.includes('showName')) return serve(path, init)
    await refused.promise
    return new Response('{}', { status: 403 })
  }
  await press(names[0])
  await press(names[1])
  await untilShown(true, false)
  refused.resolve()
  expect(await screen.findByText('This setting could not be saved. It is as it was.')).toBeTruthy()
  await untilShown(false, false)
  await vi.waitFor(() => expect(stored).toEqual({ showName: false, presence: false }))
  expect(states()).toEqual([false, false])
})

test('settings that cannot be read say so, and can be tried again', async () => {
  let isBack = false
  openSettings(ana, {
    'GET /api/me/settings': () =>
      isBack ? { body: { showName: true, presence: false } } : { status: 404, body: {} },
  })
  fireEvent.click(
    await screen.findByRole('button', { name: 'Try again' }).finally(() => void (isBack = true)),
  )
  await find(names[0])
  expect(states()).toEqual([true, false])
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
] as const)('%s has no name to show, and is asked nothing about it', async (_who, user) => {
  const { sent } = openSettings(user)
  await act(async () => {})
  expect(screen.queryAllByRole('switch')).toEqual([])
  expect(sent.filter(({ path }) => path === '/api/me/settings')).toEqual([])
})
