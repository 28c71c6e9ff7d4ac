import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { NewRoom } from '#contract/rooms/new-room.ts'
import type { Room } from '#contract/rooms/room.ts'
import { useSession } from '#web/features/account/index.ts'
import { useFriends } from '#web/features/friends/index.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { nothingStored, useEditor } from '#web/lib/editor/use-editor.ts'
import { codeOf } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useFormChoices } from '#web/lib/form-choices.ts'
import { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useCreateRoom } from './api.ts'
import { Invitations } from './Invitations.tsx'
import { OpeningField } from './OpeningField.tsx'
import { beginningOf, durationsOf, roomChoices, turnsOf } from './room-draft.ts'
import { TurnFields } from './TurnFields.tsx'

interface RoomFormProps {
  owner: string
  /** Whom the person wants to write with: the room is private, and the friend is invited. */
  friendId: string | null
  onClose: () => void
  onCreated: (room: Room) => void
}

const SigningDialog = part(async () => (await import('./SigningDialog.tsx')).SigningDialog, failedDialog)

/** The browser keeps the text of the form until the room is created. */
export function RoomForm({ owner, friendId, onClose, onCreated }: RoomFormProps) {
  const { choices, choose, forget } = useFormChoices(roomChoices(owner))
  const [refusal, setRefusal] = useState<Refusal>(none)
  const form = useRef<HTMLFormElement>(null)
  const created = useRef<Room>(undefined)
  const signsWithName = useRef<boolean>(undefined)
  const [isSigning, setSigning] = useState(false)
  const { user } = useSession()
  const formId = useId()
  const creation = useCreateRoom()
  const friends = useFriends()
  const mayBePublic = useAppConfig().access?.publicRooms !== false
  const isPublic = choices.isPublic && mayBePublic
  // Kept choices may name somebody who is no longer a friend.
  const invitedFriends = choices.invitedFriends.filter(
    (id) => friends.data === undefined || friends.data.some((friend) => friend.id === id),
  )

  const inputOf = (description: string) => {
    const { name, duration } = choices
    return {
      name,
      description,
      isPublic,
      duration,
      invitedFriends,
      ...turnsOf(choices),
      ...beginningOf(choices),
    }
  }
  const create = async (description: string) => {
    try {
      const signed = signsWithName.current === undefined ? {} : { signsWithName: signsWithName.current }
      created.current = await creation.run({ input: { ...inputOf(description), ...signed } })
    } catch (error) {
      refuse(refusalOf(error))
      if (codeOf(error) === 'NotYourFriend') friends.refetch()
      throw error
    }
    forget()
    return nothingStored
  }
  const inviteFriend = useEffectEvent(() => {
    if (friendId === null || choices.invitedFriends.includes(friendId)) return
    choose({ isPublic: false, invitedFriends: [...choices.invitedFriends, friendId] })
  })
  useEffect(() => inviteFriend(), [friendId])
  const editor = useEditor({ owner, place: 'room', stored: nothingStored, save: create })
  const isRunning = editor.state === 'saving'

  const refuse = (next: Refusal) => {
    setRefusal(next)
    const [field] = Object.keys(next.fields)
    const control = field === undefined ? null : form.current?.elements.namedItem(field)
    if (control instanceof HTMLElement) control.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isRunning) return
    const checked = NewRoom.safeParse(inputOf(editor.text))
    if (!checked.success) return refuse({ fields: sentencesOf(checked.error.issues), sentence: null })
    setRefusal(none)
    signsWithName.current = undefined
    if (choices.turns === 'free') await save()
    else setSigning(true)
  }
  const save = async () => {
    if (!(await editor.save())) return
    onClose()
    if (created.current) onCreated(created.current)
  }
  // The first turn of a table begins with the table: a question in its middle would cost its time.
  if (isSigning && user)
    return (
      <SigningDialog
        user={user}
        title="Your signature"
        verb="Create"
        onChoose={(withName) => {
          setSigning(false)
          signsWithName.current = withName
          void save()
        }}
        onClose={() => setSigning(false)}
      />
    )
  return (
    <Dialog
      onClose={onClose}
      title="Create a Z!mmer"
      startsInField
      actions={
        <Button type="submit" form={formId} busy={isRunning}>
          Create
        </Button>
      }
    >
      <form
        ref={form}
        id={formId}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => void submit(event)}
        onKeyDown={submitOnCtrlEnter}
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
          readOnly={editor.state === 'loading'}
          error={refusal.fields['description']}
          hint={editorStatus(editor) || 'Kept on this device until the room is created.'}
          onChange={(event) => editor.change(event.target.value)}
        />
        <OpeningField
          value={choices.opening}
          error={refusal.fields['opening']}
          onChange={(opening) => choose({ opening })}
        />
        <SelectField
          label="Duration"
          name="duration"
          value={choices.duration}
          error={refusal.fields['duration']}
          options={durationsOf(choices).map((minutes) => ({
            value: minutes,
            label: minutes < 1440 ? `${minutes} minutes` : `${minutes / 1440} days`,
          }))}
          onChange={(duration) => choose({ duration })}
        />
        <TurnFields choices={choices} choose={choose} />
        <TextField
          label="Goal in words (optional)"
          name="wordGoal"
          inputMode="numeric"
          autoComplete="off"
          value={choices.wordGoal}
          error={refusal.fields['wordGoal']}
          hint="The Z!mmer shows how many of them are written."
          onChange={(event) => choose({ wordGoal: event.target.value })}
        />
        {mayBePublic && (
          <Switch
            label="Public Room"
            hint="Everyone may read and join. In a private room only its members can read and write."
            checked={isPublic}
            onChange={(isOn) => choose({ isPublic: isOn, ...(isOn && { invitedFriends: [] }) })}
          />
        )}
        {!isPublic && (
          <Invitations
            friends={friends}
            invited={invitedFriends}
            error={refusal.fields['invitedFriends']}
            onChange={(invited) => choose({ invitedFriends: invited })}
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

interface Refusal {
  fields: Record<string, string>
  sentence: string | null
}

const none: Refusal = { fields: {}, sentence: null }

const sentencesOf = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
  Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))

function refusalOf(error: unknown): Refusal {
  const { fields, error: sentence } = error instanceof RequestError ? error : { fields: {}, error: null }
  if (Object.keys(fields).length > 0) return { fields, sentence: null }
  return { fields, sentence: sentence ?? 'The Z!mmer could not be created. What you typed is kept.' }
}
