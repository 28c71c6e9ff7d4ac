import { type Announcement, announcementMaxLength } from '#contract/instance/announcement.ts'
import { zoneSentence } from '#web/features/posts/index.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { timeInField } from '#web/lib/time-in-field.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'

const usualMs = 7 * 24 * 3600 * 1000

interface AnnouncementFieldsProps {
  announcement: Announcement | null
  error: string | undefined
  onChange: (announcement: Announcement | null) => void
}

/** An announcement begins with its first letter, and has an end from then on. */
export function AnnouncementFields({ announcement, error, onChange }: AnnouncementFieldsProps) {
  const { text, link, endsAt } = announcement ?? {
    text: '',
    link: null,
    endsAt: new Date(serverNow() + usualMs).toISOString(),
  }
  const change = (part: Partial<Announcement>) => onChange({ text, link, endsAt, ...part })
  return (
    <>
      <TextArea
        label="Text of the announcement"
        hint={`Above every page, until people close it or it ends. At most ${announcementMaxLength} characters.`}
        dir="auto"
        value={text}
        error={error}
        onChange={({ target }) => change({ text: target.value })}
      />
      {announcement !== null && (
        <>
          <TextField
            label="Link"
            hint="An https address, or a path of this instance such as /rules. It may be left out."
            autoComplete="off"
            value={link ?? ''}
            onChange={({ target }) => change({ link: target.value || null })}
          />
          <TextField
            label="End"
            type="datetime-local"
            hint={zoneSentence()}
            value={localOf(endsAt)}
            // A field that is being typed in may have no value.
            onChange={({ target }) =>
              target.value !== '' && change({ endsAt: new Date(target.value).toISOString() })
            }
          />
          <div>
            <Button variant="quiet" onClick={() => onChange(null)}>
              Remove the announcement
            </Button>
          </div>
        </>
      )}
    </>
  )
}

/** An instant as a field of a form has it, by the clock of this device. */
function localOf(instant: string): string {
  const at = new Date(instant)
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
  return `${day.map((part) => String(part).padStart(2, '0')).join('-')}T${timeInField(at)}`
}
