import { useEffect, useId, useRef, useState } from 'react'
import type { Amount } from '#web/lib/device/contents.ts'
import { hasDeviceRoom } from '#web/lib/device/database.ts'
import { useChoice } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { askToPersist, type DeviceContents, deviceContents, removeFromDevice } from './device.ts'

/** What this device keeps of the person, to read without a network, and how to remove it. */
export function DeviceKeeps({ personId }: { personId: string }) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const choose = useChoice()
  const [contents, setContents] = useState<DeviceContents | 'failed'>()
  const [said, setSaid] = useState('')
  const [reading, setReading] = useState(0)
  useEffect(() => {
    let isLeft = false
    const show = (found: DeviceContents | 'failed') => isLeft || setContents(found)
    deviceContents(personId).then(show, () => show('failed'))
    return () => void (isLeft = true)
  }, [personId, reading])
  const readAgain = () => setReading((count) => count + 1)

  const persist = async () => {
    const isKept = await askToPersist(personId).catch(() => false)
    setSaid(
      isKept
        ? 'The browser will not remove it by itself.'
        : 'The browser decides itself how long it keeps this. It keeps more for an installed app.',
    )
    heading.current?.focus()
    readAgain()
  }
  const remove = async (unsaved: readonly string[]) => {
    const text = 'The copies are removed from this device. What is saved stays in your account.'
    const answer = await choose(
      unsaved.length === 0
        ? { text, verb: 'Remove' }
        : {
            text: `${text} Not saved yet, and on this device only: ${listOf(unsaved)}.`,
            verb: 'Remove copies only',
            otherVerb: 'Remove unsaved text too',
          },
    )
    if (answer === false) return
    try {
      await removeFromDevice(personId, answer === 'other')
      setSaid('Removed. What you read from now on is kept again.')
    } catch (error) {
      console.error('Failed to remove what this device keeps', error)
      setSaid('Not everything could be removed. Please try again.')
    }
    readAgain()
  }

  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-3">
      <h3 ref={heading} tabIndex={-1} id={id} className="text-lg outline-none">
        What this device keeps
      </h3>
      <p className="text-sm text-ink-soft">
        What you have read here can be read without a network too. Logging out removes it.
      </p>
      {contents === undefined && <Skeleton className="h-40 w-full" />}
      {contents === 'failed' && (
        <QuietLine text="What this device keeps could not be read." onTryAgain={readAgain} />
      )}
      {contents !== undefined && contents !== 'failed' && (
        <>
          <Amounts amounts={contents.amounts} />
          {!hasDeviceRoom() && (
            <p className="text-sm text-bad">
              This browser has no room for more. Your account has everything that is saved.
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            {contents.isPersisted === false && (
              <Button variant="quiet" onClick={() => void persist()}>
                Ask the browser to keep it
              </Button>
            )}
            <Button variant="quiet" onClick={() => void remove(contents.unsaved)}>
              Remove from this device
            </Button>
          </div>
        </>
      )}
      <output className="text-sm empty:hidden">{said}</output>
    </section>
  )
}

const kinds = [
  ['diary', 'Days of the diary'],
  ['notes', 'Calendar notes'],
  ['conversations', 'Conversations and friends'],
  ['rooms', 'Rooms and stories'],
  ['writing', 'Posts, drafts and documents'],
  ['later', 'Posts to read later'],
  ['account', 'Account and settings'],
  ['drafts', 'Typed and not saved yet'],
  ['program', 'Files of the program'],
] as const

function Amounts({ amounts }: { amounts: readonly Amount[] }) {
  const rows = kinds.flatMap(([kind, name]) => {
    const amount = amounts.find((each) => each.kind === kind)
    return amount ? [{ name, ...amount }] : []
  })
  if (rows.length === 0) return <p className="text-sm">Nothing yet.</p>
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">What this device keeps</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">What</th>
          <th scope="col">How many</th>
          <th scope="col">Size</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, name, count, bytes }) => (
          <tr key={kind} className="border-b border-line">
            <th scope="row" className="py-1.5 pe-4 text-start font-normal">
              {name}
            </th>
            <td className="py-1.5 pe-4 text-end tabular-nums">{count.toLocaleString('en-US')}</td>
            <td className="py-1.5 text-end whitespace-nowrap tabular-nums text-ink-soft">
              {sizeText(bytes)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const sizeText = (bytes: number) =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000).toLocaleString('en-US')} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`

const mostNamed = 5

function listOf(names: readonly string[]) {
  const counted = new Map<string, number>()
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1)
  const named = [...counted].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`))
  const rest = named.length - mostNamed
  return [...named.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}
