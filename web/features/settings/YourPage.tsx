import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import {
  changeSettings,
  getSettings,
  introductionMaxLength,
  type PersonSettings,
} from '#contract/account/settings/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { getPerson } from '#contract/people/endpoints.ts'
import { personPath } from '#contract/people/paths.ts'
import { queryKeyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { fieldOf } from '#web/lib/editor/use-drafted-text.ts'
import { useEditor } from '#web/lib/editor/use-editor.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useSettingsSwitch } from './use-settings-switch.ts'

/** The page that everybody can read: whether there is one, and what the person says there. */
export function YourPage({ userId }: { userId: string }) {
  const settings = useEndpoint(getSettings)
  return (
    <Card
      as="section"
      id="your-page"
      aria-labelledby="your-page-title"
      tabIndex={-1}
      className="scroll-mt-16 p-6 outline-none"
    >
      <h2 id="your-page-title" className="mb-4 text-xl">
        Your page
      </h2>
      <NotReady of={settings} what="These settings" waiting={<Skeleton className="h-106 w-full sm:h-82" />} />
      {settings.status === 'ready' && <PageForm settings={settings.data} userId={userId} />}
    </Card>
  )
}

/** The answers that say whether the name of the person leads to a page. */
const changedByPage = [getPerson, getFeedDay, getPost]

function PageForm({ settings, userId }: { settings: PersonSettings; userId: string }) {
  const change = useSettingsSwitch(settings, changedByPage)
  const client = useQueryClient()
  const { run } = useAction(changeSettings, { refreshes: [getPerson] })
  const save = saveOrConflict(async (text, base) => {
    const saved = await run({ input: { introduction: text, base: base ?? '' } })
    client.setQueryData<PersonSettings>(queryKeyOf(getSettings), (known = settings) => ({
      ...known,
      introduction: saved.introduction,
    }))
    return saved
  }, storedForm)
  const editor = useEditor({
    owner: userId,
    place: 'introduction',
    stored: storedForm(settings),
    save,
  })
  const { isTooLong, field } = fieldOf(editor, introductionMaxLength)
  const isDone = editor.state === 'unchanged' || editor.state === 'saved'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isTooLong) void editor.save()
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit} onKeyDown={submitOnCtrlEnter}>
      <Switch
        label="Have a page that everybody can read"
        hint="It shows your name, your introduction, the posts that carry your name and the finished stories that you signed with it. Posts under another name never appear there. Your passages signed as 'User {id}' can then be traced to your name."
        checked={settings.hasPage}
        onChange={(isOn) => change('hasPage', isOn)}
      />
      <TextArea
        label="Introduction"
        hint={`A few lines about you as a writer, at most ${introductionMaxLength} characters. Only your page shows it.`}
        dir="auto"
        {...field}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={isDone || isTooLong} busy={editor.state === 'saving'}>
          Save introduction
        </Button>
        {settings.hasPage && (
          <Link href={personPath(userId)} className={buttonClass('quiet')}>
            See your page
          </Link>
        )}
        <output className="text-xs text-ink-soft">{editorStatus(editor)}</output>
      </div>
      <TwoTexts editor={editor} />
    </form>
  )
}

/** The text is its own version: the server stores no time for it. */
const storedForm = ({ introduction }: PersonSettings) => ({ text: introduction, version: introduction })
