import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createToastStore } from './toast-store.ts'
import { ToastsProvider, useToast } from './toasts.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Page() {
  const toast = useToast()
  return (
    <>
      <button onClick={() => toast({ title: 'Saved' })}>Save</button>
      <button onClick={() => toast({ title: 'Sent', tone: 'destructive' })}>Send</button>
    </>
  )
}

async function renderPage() {
  await act(async () => {
    render(
      <ToastsProvider>
        <Page />
      </ToastsProvider>,
    )
  })
}

const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
const toasts = () => screen.queryAllByRole('listitem').map((toast) => toast.textContent)

test('a new toast takes the place of the one that is shown [NOTE-06]', async () => {
  await renderPage()
  await press('Save')
  expect(toasts()).toEqual(['Saved'])
  await press('Send')
  expect(toasts()).toEqual(['Sent'])
})

test('a toast is shown for five seconds [NOTE-07]', async () => {
  await renderPage()
  await press('Save')
  await pass(4999)
  expect(toasts()).toEqual(['Saved'])
  await pass(1)
  expect(toasts()).toEqual([])
})

test('a swipe to the right by 50 px dismisses a toast, a shorter one or one to the left does not [NOTE-08]', async () => {
  await renderPage()
  await press('Save')
  await swipe(49)
  expect(toasts()).toEqual(['Saved'])
  await swipe(-200)
  expect(toasts()).toEqual(['Saved'])
  await swipe(51)
  expect(toasts()).toEqual([])
})

async function swipe(px: number) {
  const toast = screen.getByRole('listitem')
  Object.assign(toast, {
    setPointerCapture: () => {},
    releasePointerCapture: () => {},
    hasPointerCapture: () => true,
  })
  await act(async () => {
    fireEvent.pointerDown(toast, at(100))
    fireEvent.pointerMove(toast, at(100 + Math.sign(px) * 20))
    fireEvent.pointerMove(toast, at(100 + px))
    fireEvent.pointerUp(toast, at(100 + px))
  })
}

const at = (clientX: number) => ({ clientX, clientY: 0, button: 0, pointerId: 1, pointerType: 'touch' })

test('F8 takes the focus to the notifications [NOTE-09]', async () => {
  await renderPage()
  await press('Save')
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
  const region = screen.getByRole('region', { name: 'Notifications (F8)' })
  expect(region.contains(document.activeElement)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
})

test('a dismissed toast is kept for 1,000,000 ms and then forgotten [NOTE-10]', () => {
  const store = createToastStore()
  store.show({ title: 'Saved' })
  const [toast] = store.list()
  store.dismiss(toast?.id ?? 0)

  vi.advanceTimersByTime(999_999)
  expect(store.list()).toMatchObject([{ title: 'Saved', open: false }])
  vi.advanceTimersByTime(1)
  expect(store.list()).toEqual([])
})

test('forgetting an old toast leaves a newer one alone [NOTE-10]', () => {
  const store = createToastStore()
  store.show({ title: 'Saved' })
  store.dismiss(store.list()[0]?.id ?? 0)
  store.show({ title: 'Sent' })
  vi.advanceTimersByTime(1_000_000)
  expect(store.list()).toMatchObject([{ title: 'Sent', open: true }])
})
