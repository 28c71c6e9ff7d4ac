import { useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type AuditActionName, auditActions, type AuditEntry } from '#contract/admin/audit.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { timeOfDay } from '#web/lib/locale.ts'
import { usePages } from '#web/lib/pages.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { TextField } from '#web/ui/TextField.tsx'

const filterNames = ['action', 'about', 'from', 'to'] as const
type Filters = Partial<Record<(typeof filterNames)[number], string>>

const actionOptions = [
  { value: '', label: 'All actions' },
  ...Object.entries(auditActions).map(([value, label]) => ({ value, label })),
]

/** Who did what and when. The filters are in the address. */
export function AuditLog() {
  const { timeZone } = useAppConfig()
  const [search, setSearch] = useSearchParams()
  const filters: Filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const change = (changed: Filters) => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '')
    setSearch({ part: 'log', ...Object.fromEntries(next) }, { replace: true })
  }
  const fieldOf = (name: keyof Filters) => ({
    value: filters[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  })
  return (
    <div className="flex flex-col gap-5">
      <search className="grid grid-cols-2 items-start gap-3 max-sm:*:nth-[-n+2]:col-span-2 xl:grid-cols-4">
        <SelectField
          label="Action"
          options={actionOptions}
          value={filters.action ?? ''}
          onChange={(action) => change({ action })}
        />
        <IdField id={filters.about ?? ''} onChange={(about) => change({ about })} />
        <TextField label="From" type="date" {...fieldOf('from')} />
        <TextField label="To" type="date" {...fieldOf('to')} />
      </search>
      <p className="-mt-2 text-xs text-ink-soft">
        Days and times are in the time zone of this instance, {timeZone.replaceAll('_', ' ')}.
      </p>
      <Entries filters={filters} />
    </div>
  )
}

/** Takes an id when Enter is pressed, or when the focus leaves the field. */
function IdField({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  const [typed, setTyped] = useState(id)
  const [seen, setSeen] = useState(id)
  const [isWrong, setIsWrong] = useState(false)
  // The address was changed by a link.
  if (id !== seen) {
    setSeen(id)
    setTyped(id)
    setIsWrong(false)
  }
  const take = () => {
    const text = typed.trim().toLowerCase()
    const isRight = text === '' || idForm.test(text)
    setIsWrong(!isRight)
    if (isRight && text !== id) onChange(text)
  }
  return (
    <TextField
      label="Id of a person or a thing"
      value={typed}
      error={isWrong ? 'Please paste a whole id.' : undefined}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}

/** The id of a person, or of anything else. */
const idForm = /^([0-9a-z]{10}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function Entries({ filters }: { filters: Filters }) {
  const entries = usePages(listAuditEntries, {
    limit: '50',
    ...(filters as Filters & { action?: AuditActionName }),
  })
  const list = useRef<HTMLUListElement>(null)
  const isFiltered = Object.keys(filters).length > 0
  const showAll = isFiltered && (
    <Link href="/admin?part=log" className={buttonClass('quiet')}>
      Show all entries
    </Link>
  )
  if (entries.status === 'loading') {
    const listClass = 'flex flex-col gap-2'
    return <Skeletons label="Loading the audit log" count={8} each="h-24 md:h-12" className={listClass} />
  }
  if (entries.status === 'failed') {
    return (
      <div className="flex flex-col items-center">
        <FailedState text="The audit log could not be loaded." onTryAgain={entries.refetch} />
        {showAll}
      </div>
    )
  }
  const { items } = entries.data
  if (items.length === 0) {
    return (
      <EmptyState
        drawing="lamp"
        text={isFiltered ? 'No entry matches these filters' : 'Nothing has been logged yet'}
        action={showAll}
      />
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <Outdated of={entries} what="The audit log" />
      {showAll && <div>{showAll}</div>}
      <div aria-hidden className={`hidden md:grid ${columns} px-4 text-sm font-medium text-ink-soft`}>
        {['Time', 'Action', 'By', 'About'].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ul
        ref={list}
        aria-label="Entries of the audit log"
        className="flex flex-col gap-3 md:gap-0 md:divide-y md:divide-line md:rounded-lg md:border md:border-line md:bg-surface"
      >
        {items.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <ShowMore of={entries.data} list={list} />
    </div>
  )
}

const momentFormat = { year: 'numeric', month: 'short', day: 'numeric', second: '2-digit' } as const

const columns = 'gap-x-4 md:grid-cols-[12rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]'

function Entry({
  entry: { at, action, actorId, actorName, subjectId, subjectName, details, count },
}: {
  entry: AuditEntry
}) {
  const { timeZone } = useAppConfig()
  return (
    <li
      className={`grid grid-cols-1 gap-y-1 px-4 py-3 text-sm [contain-intrinsic-size:auto_3rem] [content-visibility:auto] max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:[contain-intrinsic-size:auto_7rem] ${columns}`}
    >
      <time dateTime={at} className="text-ink-soft tabular-nums max-md:order-last">
        {timeOfDay(at, { ...momentFormat, timeZone })}
      </time>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {action in auditActions ? auditActions[action as AuditActionName] : action}
          {count > 1 && <Badge tone="outline">{count} times</Badge>}
        </p>
        {details !== null && (
          <p dir="auto" className="text-ink-soft wrap-anywhere">
            {detailsOf(details, timeZone)}
          </p>
        )}
      </div>
      <p className="min-w-0 wrap-anywhere">
        <Column name="By" />
        {actorId === null ? (
          <span className="text-ink-soft">{withoutActor(action)}</span>
        ) : (
          <Filter id={actorId} name={actorName} />
        )}
      </p>
      <p className="min-w-0 wrap-anywhere empty:hidden">
        {subjectId !== null && (
          <>
            <Column name="About" />
            <Filter id={subjectId} name={subjectName} />
          </>
        )}
      </p>
    </li>
  )
}

/** Ids, numbers and the parts of a suspension are named; all else speaks for itself. */
const detailNames: Record<string, string> = {
  room: 'Z!mmer ',
  author: 'Author ',
  texts: 'Texts ',
  people: 'People: ',
  days: 'Days: ',
}
const detailsOf = (details: Record<string, string>, timeZone: string) =>
  Object.entries(details)
    .filter(([, value]) => value !== '')
    .map(([name, value]) =>
      name === 'until'
        ? `Until ${timeOfDay(value, { ...momentFormat, timeZone })}`
        : `${detailNames[name] ?? ''}${value}`,
    )
    .join(' · ')

/** The name of the column: above the list where there is space, before the value on a phone and for a screen reader. */
const Column = ({ name }: { name: string }) => <span className="text-ink-soft md:sr-only">{name}: </span>

/** Leads to the entries about a person or a thing. */
const Filter = ({ id, name }: { id: string; name: string | null }) => (
  <Link
    href={`/admin?part=log&about=${id}`}
    dir="auto"
    className="touch text-lamp underline underline-offset-4"
  >
    {name ?? id}
  </Link>
)

const withoutActor = (action: string) =>
  action.endsWith('-refused') ? 'Somebody without a session' : 'A command on the server'
