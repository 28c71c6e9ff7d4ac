import { type FormEvent, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { User } from '#contract/account/user.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { durations } from '#contract/rooms/room.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { emptyDraft, useEditor } from '#web/lib/editor/use-editor.ts'
import { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useCreateRoom } from './api.ts'
import { noChoices, roomChoices, type RoomChoices } from './room-draft.ts'

type Friend = Pick<User, 'id' | 'username' | 'firstName' | 'lastName'>

interface RoomFormProps {
  owner: string
  friends: readonly Friend[]
  onClose: () => void
}

/** What is typed here is kept in this browser, and forgotten only when the room is there. */
export function RoomForm({ owner, friends, onClose }: RoomFormProps) {
  const [choices, setChoices] = useState(() => roomChoices.read(owner))
  const [refusal, setRefusal] = useState<Refusal>(none)
  const form = useRef<HTMLFormElement>(null)
  const formId = useId()
  const creation = useCreateRoom()

  const create = async (description: string) => {
    try {
      await creation.run({ input: { ...choices, description } })
    } catch (error) {
      console.error('Failed to create the room', error)
      refuse(refusalOf(error))
      throw error
    }
    roomChoices.forget(owner)
    setChoices(noChoices)
    return emptyDraft
  }
  const editor = useEditor({ owner, place: 'room', stored: emptyDraft, save: create })
  const isRunning = editor.state === 'saving'

  const choose = (part: Partial<RoomChoices>) => {
    const changed = { ...choices, ...part }
    setChoices(changed)
    roomChoices.keep(owner, changed)
  }
  const refuse = (next: Refusal) => {
    setRefusal(next)
    const [field] = Object.keys(next.fields)
    const control = field === undefined ? null : form.current?.elements.namedItem(field)
    if (control instanceof HTMLElement) control.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isRunning) return
    const checked = createRoom.input.safeParse({ ...choices, description: editor.text })
    if (!checked.success) return refuse({ fields: sentencesOf(checked.error.issues), sentence: null })
    setRefusal(none)
    if (await editor.save()) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create a Z!mmer"
      startsInField
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={isRunning}>
            Create
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => void submit(event)}
      >
        <TextField
          label="Room name"
          name="name"
          required
          autoComplete="off"
          value={choices.name}
          error={refusal.fields['name']}
          onChange={(event) => choose({ name: event.target.value })}
        />
        <TextArea
          label="Description"
          name="description"
          required
          placeholder="Describe your story theme..."
          value={editor.text}
          readOnly={editor.state === 'opening'}
          error={refusal.fields['description']}
          hint={editorStatus(editor) || 'Kept on this device until the room is created.'}
          onChange={(event) => editor.change(event.target.value)}
        />
        <SelectField
          label="Duration"
          name="duration"
          value={choices.duration}
          error={refusal.fields['duration']}
          onChange={(event) => choose({ duration: durationOf(event.target.value) })}
        >
          {durations.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes} minutes
            </option>
          ))}
        </SelectField>
        <Switch
          label="Public Room"
          hint="Everyone may read and join. In a private room only its members can read and write."
          checked={choices.isPublic}
          onChange={(isPublic) => choose({ isPublic, ...(isPublic && { invitedFriends: [] }) })}
        />
        {!choices.isPublic && (
          <Invitations
            friends={friends}
            invited={choices.invitedFriends}
            onChange={(invitedFriends) => choose({ invitedFriends })}
          />
        )}
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {refusal.sentence}
        </p>
        <TwoTexts editor={editor} />
      </form>
    </Dialog>
  )
}

interface InvitationsProps {
  friends: readonly Friend[]
  invited: readonly string[]
  onChange: (invited: string[]) => void
}

function Invitations({ friends, invited, onChange }: InvitationsProps) {
  return (
    <fieldset>
      <legend className="text-sm font-medium">Invite friends</legend>
      {friends.length === 0 && (
        <p className="mt-1.5 text-sm text-ink-soft">
          Add friends in the{' '}
          <Link href="/messages" className="text-lamp underline underline-offset-4">
            Messages
          </Link>{' '}
          section to invite them to private Z!mmers
        </p>
      )}
      <ul className="mt-1.5 flex max-h-48 flex-col gap-1.5 overflow-y-auto">
        {friends.map((friend) => (
          <li key={friend.id}>
            <Checkbox
              label={nameOf(friend)}
              checked={invited.includes(friend.id)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...invited, friend.id]
                    : invited.filter((friendId) => friendId !== friend.id),
                )
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

const nameOf = ({ id, username, firstName, lastName }: Friend) =>
  [firstName, lastName].filter(Boolean).join(' ') || username || `User ${id}`

interface Refusal {
  /** By the name of the field. */
  fields: Record<string, string>
  sentence: string | null
}

const none: Refusal = { fields: {}, sentence: null }

const durationOf = (value: string) =>
  durations.find((minutes) => String(minutes) === value) ?? noChoices.duration

const sentencesOf = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
  Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))

function refusalOf(error: unknown): Refusal {
  const { fields, error: sentence } = error instanceof RequestError ? error : { fields: {}, error: null }
  if (Object.keys(fields).length > 0) return { fields, sentence: null }
  return { fields, sentence: sentence ?? 'The Z!mmer could not be created. What you typed is kept.' }
}
