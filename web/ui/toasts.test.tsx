import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from './Dialog.tsx'
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

const at = (clientX: number) => ({
  clientX,
  clientY: 0,
  button: 0,
  buttons: 1,
  pointerId: 1,
  pointerType: 'touch',
})

test('a toast does not follow a mouse whose button was released outside the toast [NOTE-08]', async () => {
  await renderPage()
  await press('Save')
  const toast = screen.getByRole('listitem')
  await act(async () => {
    fireEvent.pointerDown(toast, at(100))
    fireEvent.pointerMove(toast, at(105))
  })
  expect(toast.style.translate).toBe('5px')
  await act(async () => void fireEvent.pointerMove(toast, { ...at(109), buttons: 0 }))
  expect(toast.style.translate).toBe('0px')
  await act(async () => void fireEvent.pointerMove(toast, { ...at(190), buttons: 1 }))
  expect(toast.style.translate).toBe('0px')
})

test('a person who presses a toast keeps the dialog below it open', async () => {
  const onClose = vi.fn<() => void>()
  await act(async () => {
    render(
      <ToastsProvider>
        <Page />
        <Dialog title="Change Password" onClose={onClose}>
          <input aria-label="Password" />
        </Dialog>
      </ToastsProvider>,
    )
  })
  await act(async () => screen.getByText('Save').click())
  await pass(1)
  const pressOn = async (element: HTMLElement) => {
    await act(async () => {
      fireEvent.pointerDown(element)
      fireEvent.click(element)
    })
    await pass(10)
  }
  await pressOn(screen.getByText('Saved'))
  expect(onClose).not.toHaveBeenCalled()
  await pressOn(document.body)
  expect(onClose).toHaveBeenCalledOnce()
})

const pressF8 = () => act(async () => void fireEvent.keyDown(document, { key: 'F8', code: 'F8' }))
const region = () => screen.getByRole('region', { name: 'Notifications (F8)' })
const focus = (name: string) => act(async () => screen.getByRole('button', { name }).focus())

test('a person moves the focus to the notifications by F8 [NOTE-09]', async () => {
  await renderPage()
  await press('Save')
  await pressF8()
  expect(document.activeElement).toBe(region())
})

test('a toast stays while the focus is in the notifications, also when the mouse leaves the toast [NOTE-07 NOTE-09]', async () => {
  await renderPage()
  await press('Save')
  await focus('Save')
  await pressF8()
  await pass(60_000)
  await focus('Close')
  await act(async () => {
    fireEvent.pointerOver(screen.getByRole('listitem'))
    fireEvent.pointerOut(screen.getByRole('listitem'))
  })
  await pass(60_000)
  expect(toasts()).toEqual(['Saved'])
  await focus('Save')
  await pass(4999)
  expect(toasts()).toEqual(['Saved'])
  await pass(1)
  expect(toasts()).toEqual([])
})

test('a person who dismisses a toast by keyboard has the focus again where it was before F8, and the next toast disappears by itself [NOTE-07 NOTE-09]', async () => {
  await renderPage()
  for (const dismiss of [
    () => press('Close'),
    () => act(async () => void fireEvent.keyDown(document.activeElement!, { key: 'Escape' })),
  ]) {
    await press('Save')
    await focus('Send')
    await pressF8()
    await focus('Close')
    await dismiss()
    expect(toasts()).toEqual([])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Send' }))
    await press('Save')
    await pass(5000)
    expect(toasts()).toEqual([])
  }
})

test('a new toast in the place of the focused one leaves the focus in the notifications [NOTE-06 NOTE-09]', async () => {
  await renderPage()
  await press('Save')
  await pressF8()
  await focus('Close')
  await press('Send')
  expect(document.activeElement).toBe(region())
  await act(async () => void fireEvent.keyDown(region(), { key: 'Escape' }))
  expect(toasts()).toEqual([])
})

test('a dismissed toast stays in the store for 1,000,000 ms and is then removed [NOTE-10]', () => {
  const store = createToastStore()
  store.show({ title: 'Saved' })
  const [toast] = store.list()
  store.dismiss(toast?.id ?? 0)

  vi.advanceTimersByTime(999_999)
  expect(store.list()).toMatchObject([{ title: 'Saved', open: false }])
  vi.advanceTimersByTime(1)
  expect(store.list()).toEqual([])
})

test('when an old toast is removed from the store, a newer one stays [NOTE-10]', () => {
  const store = createToastStore()
  store.show({ title: 'Saved' })
  store.dismiss(store.list()[0]?.id ?? 0)
  store.show({ title: 'Sent' })
  vi.advanceTimersByTime(1_000_000)
  expect(store.list()).toMatchObject([{ title: 'Sent', open: true }])
})
