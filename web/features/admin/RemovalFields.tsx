import { type AbuseReport, type Removal, removalsOf } from '#contract/abuse-reports/report.ts'
import { erasedMark } from '#contract/rooms/room.ts'
import { useSession } from '#web/features/account/index.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { erasableOf } from './ReportRow.tsx'

interface RemovalFieldsProps {
  report: AbuseReport
  removal: Removal | 'none'
  isSure: boolean
  onChange: (removal: Removal | 'none') => void
  onSure: (isSure: boolean) => void
}

/** Asks what becomes of the reported thing, with what is possible for its kind and while it is there. */
export function RemovalFields({ report, removal, isSure, onChange, onSure }: RemovalFieldsProps) {
  const { kind, exists } = report
  const { isAdmin } = useSession()
  if (kind === 'person') return null
  const isErasable = kind === 'aside' ? exists : erasableOf(report) !== null
  const possible = removalsOf[kind].filter((each) => (each === 'hide' ? exists : isErasable && isAdmin))
  if (possible.length === 0 && isErasable)
    return (
      <p className="text-ink-soft">
        Only an admin can remove this {kind}. If it should go, leave the report open.
      </p>
    )
  if (possible.length === 0)
    return (
      <p className="text-ink-soft">
        {exists
          ? 'A message stays with the two friends: no admin can remove it.'
          : `The ${kind} is gone already. There is nothing to remove.`}
      </p>
    )
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup<Removal | 'none'>
        legend={`The ${kind}`}
        options={[
          { value: 'none', label: 'Leave it as it is' },
          ...possible.map((value) => ({ value, ...words[kind]![value]! })),
        ]}
        value={removal}
        onChange={onChange}
      />
      {!exists && <p className="text-ink-soft">It is hidden, or its author has taken it back.</p>}
      {removal === 'erase' && (
        <Checkbox
          label="I know that nobody can bring it back"
          checked={isSure}
          onChange={(event) => onSure(event.target.checked)}
        />
      )}
    </div>
  )
}

type Words = Partial<Record<Removal, { label: string; hint: string }>>
const words: Partial<Record<AbuseReport['kind'], Words>> = {
  post: {
    hide: {
      label: 'Hide it',
      hint: 'It leaves the feed, the search and every page. You can show it again under All Posts.',
    },
    erase: {
      label: 'Erase it for good',
      hint: 'Its text, its versions, its picture and the copies in reports are gone. Nobody can undo this.',
    },
  },
  passage: {
    erase: {
      label: 'Erase it for good',
      hint: `Its text is gone, and a mark stays in its place: “${erasedMark}” Nobody can undo this.`,
    },
  },
  aside: {
    erase: {
      label: 'Erase it for good',
      hint: 'It is gone from the talk at the table, and so are the copies in reports. Nobody can undo this.',
    },
  },
}
