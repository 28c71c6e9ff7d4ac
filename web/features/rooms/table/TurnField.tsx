import { type FormEvent, type RefObject, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import type { Room, RoomPassage, SentPassage } from '#contract/rooms/room.ts'
import type { ReadersTurn } from '#contract/rooms/table/table.ts'
import { isBlank } from '#contract/text.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { hasTouchScreen, sendOnEnter } from '#web/lib/send-shortcuts.ts'
import { personKey, storedText } from '#web/lib/storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { SendButton } from '#web/ui/ComposeBar.tsx'
import { cx } from '#web/ui/cx.ts'
import { keepFocus } from '#web/ui/keep-focus.ts'
import { Menu } from '#web/ui/Menu.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { type KnownTurn, usePassTurn } from './api.ts'
import { lettersOf } from './letters.ts'
import { possibleNext } from './place.ts'
import { useTurnOutbox } from './use-turn-outbox.ts'

interface TurnFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>
  room: Room
  user: User
  turn: KnownTurn
  isHolder: boolean
  passages: readonly RoomPassage[]
  isOver: boolean
  nameOf: (userId: string) => string
  /** Called before the holder passes or hands on, by a button that is then removed. */
  onPassing: () => void
  /** Called when the person types. */
  onTyping: () => void
  onTurn: (turn: ReadersTurn) => void
  onOutdated: () => void
  onSending: (passage: string | null) => void
  onSent: (passage: SentPassage) => void
}

/** The field of a member, with what the holder of the turn can do. The text is kept until the server has it. */
export function TurnField(props: TurnFieldProps) {
  const { ref, room, user, turn, isHolder, passages, isOver, nameOf } = props
  const [sendsAtEnd, setSendsAtEnd] = useSendsAtEnd(room.id, user.id)
  const passing = usePassTurn()
  const outbox = useTurnOutbox({ ...props, sendsAtEnd })
  const { editor, text, problem, lettersLeft, isReady, isSending, change, send, setSettledIn } = outbox

  const willPass = () => {
    // The field would open the keyboard of a phone over the story.
    if (!hasTouchScreen()) props.onPassing()
  }
  const pass = async (next?: string) => {
    setSettledIn(turn.number)
    willPass()
    const input = { number: turn.number, ...(next !== undefined && { next }) }
    const passed = await passing.attempt({ params: { id: room.id }, input }, () => {
      setSettledIn(null)
      props.onOutdated()
    })
    if (passed) props.onTurn(passed)
  }
  const sendTo = (next: string) => {
    willPass()
    return send(next)
  }
  const authors = passages.map(({ userId }) => userId)
  const mayFollow =
    room.turns === 'baton' && !turn.isLast
      ? possibleNext(turn, isBlank(text) ? authors : [...authors, user.id])
      : []
  const isBusy = isSending || passing.status === 'running'
  const notPassed = passing.error && sentenceOf(passing.error, 'Your turn could not be passed on yet.')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The button is disabled after it was pressed, so the focus goes to the field.
    ref.current?.focus()
    void send()
  }
  return (
    <form className="flex min-w-0 flex-col gap-2" onSubmit={submit}>
      {isHolder && turn.tail !== null && <Tail line={turn.tail} />}
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextArea
            ref={ref}
            label="Your passage"
            labelHidden
            rows={2}
            placeholder={isHolder ? 'Continue the story...' : 'Prepare your lines...'}
            value={text}
            disabled={isOver}
            readOnly={editor.state === 'loading'}
            error={problem ?? (isHolder ? notPassed : null)}
            // On a phone the holder has the whole window to write in.
            className={cx(isHolder && 'max-sm:min-h-[30dvh]!')}
            onChange={(event) => {
              change(event.target.value)
              if (!isBlank(event.target.value)) props.onTyping()
            }}
            onKeyDown={(event) => sendOnEnter(event, () => void send())}
          />
        </div>
        <SendButton disabled={isOver || !isReady} className="mb-1.5" />
      </div>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1">
        <p className={cx('text-xs tabular-nums', lettersLeft < 0 ? 'font-medium text-bad' : 'text-ink-soft')}>
          {lettersOf(lettersLeft)}
        </p>
        <div className="me-auto [&>div>div]:gap-2.5">
          <Switch label="Send what I have" checked={sendsAtEnd} onChange={setSendsAtEnd} keepsFocus />
        </div>
        {isHolder && (
          <div className="ms-auto flex gap-2">
            {mayFollow.length > 0 && (
              <Menu
                trigger={
                  <Button variant="quiet" disabled={isBusy || lettersLeft < 0} onMouseDown={keepFocus}>
                    Hand to …
                  </Button>
                }
                items={mayFollow.map((id) => ({
                  label: nameOf(id),
                  onSelect: () => void (isBlank(text) ? pass(id) : sendTo(id)),
                }))}
              />
            )}
            <Button
              variant="quiet"
              disabled={isSending}
              busy={isBusy && !isSending}
              onMouseDown={keepFocus}
              onClick={() => void pass()}
            >
              Pass
            </Button>
          </div>
        )}
      </div>
      <TwoTexts editor={editor} />
    </form>
  )
}

/** In a folded story the holder sees no more of what was written. */
const Tail = ({ line }: { line: string }) => (
  <div className="flex flex-col gap-0.5">
    <p className="text-xs text-ink-soft">The last line before you</p>
    {/* The rule stands where the line begins. */}
    <p dir="auto" className="border-s-2 border-line ps-3 font-serif text-lg wrap-anywhere">
      … {line}
    </p>
  </div>
)

/** Whether the page sends what is typed when the turn ends. This device keeps the choice for the room. */
function useSendsAtEnd(roomId: string, ownerId: string) {
  const [stored] = useState(() =>
    storedText(personKey('sends-at-end', ownerId, roomId), { allowed: ['off'] as const }),
  )
  const [sendsAtEnd, setSendsAtEnd] = useState(() => stored.read() !== 'off')
  const choose = (isOn: boolean) => {
    setSendsAtEnd(isOn)
    if (isOn) stored.remove()
    else stored.write('off')
  }
  return [sendsAtEnd, choose] as const
}
