import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { isBlank } from '#contract/text.ts'
import { useAreKeysAwaited } from '#web/features/account/index.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import { ConflictError, type Save, type StoredText } from '#web/lib/editor/save.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { loggable, send } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { guestOf } from './guest-of-person.ts'
import { localDiary } from './local-diary.ts'
import { localNotes } from './local-notes.ts'

/** A text that a guest wrote here before they had an account. */
interface GuestText {
  day: string
  text: string
  save: Save
  /** Removes the text from this browser, unless another tab has changed it meanwhile. */
  forget: () => void
}

/** Offers a person who has signed up to save the days that they wrote as a guest to the account, one after the other. */
export function GuestDays({ personId }: { personId: string }) {
  // One of the short texts of the person says which guest it was.
  return useAreKeysAwaited() ? null : <DaysOfGuest personId={personId} />
}

function DaysOfGuest({ personId }: { personId: string }) {
  const client = useQueryClient()
  const [texts, setTexts] = useState(() => textsOfGuest(guestOf(personId)))
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null)
  const [conflict, setConflict] = useState<{ text: GuestText; current: StoredText } | null>(null)
  const [hasFailed, setHasFailed] = useState(false)

  if (texts.length === 0) return null

  const saveAll = async (from: GuestText[]) => {
    setHasFailed(false)
    for (const [done, text] of from.entries()) {
      setProgress({ done, of: from.length })
      try {
        await text.save(text.text, null)
        drop(text)
      } catch (error) {
        if (error instanceof ConflictError && error.current.text === text.text) drop(text)
        else if (error instanceof ConflictError) {
          setConflict({ text, current: error.current })
          break
        } else {
          console.error('Failed to save the days of the guest', error)
          setHasFailed(true)
          break
        }
      }
    }
    setProgress(null)
    const changed = [
      queryKeyOf(getDiary),
      queryKeyOf(getCalendar),
      ...from.map(({ day }) => queryKeyOf(getDiaryEntry, { params: { day } })),
    ]
    await Promise.all(changed.map((queryKey) => readAgain(client, { queryKey })))
  }
  const drop = (text: GuestText) => {
    text.forget()
    setTexts((all) => all.filter((other) => other !== text))
  }
  /** Ends the conflict about a day, and continues with the other days. */
  const endConflict = async (text: GuestText, chosen: string | null, current: StoredText) => {
    setConflict(null)
    try {
      if (chosen !== null) await text.save(chosen, current.version)
      drop(text)
      await readAgain(client, { queryKey: queryKeyOf(getDiaryEntry, { params: { day: text.day } }) })
      await saveAll(texts.filter((other) => other !== text))
    } catch (error) {
      console.error('Failed to save the days of the guest', loggable(error))
      setHasFailed(true)
    }
  }
  const days = new Set(texts.map(({ day }) => day)).size
  return (
    <Card as="section" aria-label="Days of the guest" className="flex flex-wrap items-center gap-3">
      <p className="me-auto">
        You wrote on {days} {days === 1 ? 'day' : 'days'} on this device before you signed up. They are only
        here.
        {hasFailed && (
          <span className="block text-sm text-bad">Not all of them could be saved. Try again.</span>
        )}
      </p>
      {progress && (
        <output className="text-sm text-ink-soft">
          {progress.done} of {progress.of}
        </output>
      )}
      <Button busy={progress !== null} onClick={() => void saveAll(texts)}>
        Save to my account
      </Button>
      {conflict && (
        <TwoTexts
          editor={{
            conflict: { here: conflict.text.text, other: conflict.current.text, isSaved: true },
            keepThis: () => endConflict(conflict.text, conflict.text.text, conflict.current),
            takeOther: () => endConflict(conflict.text, null, conflict.current),
            keepBoth: () =>
              endConflict(
                conflict.text,
                `${conflict.current.text}\n\n${conflict.text.text}`,
                conflict.current,
              ),
            postponeConflict: () => setConflict(null),
          }}
        />
      )}
    </Card>
  )
}

function textsOfGuest(guest: string | null): GuestText[] {
  if (guest === null) return []
  const [diary, notes] = [localDiary(guest), localNotes(guest)]
  const entries = diary.all().map(({ date, content }) => ({
    day: date,
    text: content,
    save: saveOrConflict(
      (text, base) => send(saveDiaryEntry, { input: { date, content: text, base } }),
      ({ content: stored, updated_at }) => ({ text: stored, version: updated_at }),
    ),
    forget: () => diary.read(date)?.content === content && diary.remove(date),
  }))
  const ofCalendar = notes.all().map(({ date, note }) => ({
    day: date,
    text: note,
    save: saveOrConflict(
      (text, base) => send(saveCalendarNote, { input: { date, note: text, base } }),
      ({ content: stored, updated_at }) => ({ text: stored, version: updated_at }),
    ),
    forget: () => notes.read(date)?.note === note && notes.remove(date),
  }))
  return [...entries, ...ofCalendar].filter(({ text }) => !isBlank(text))
}
