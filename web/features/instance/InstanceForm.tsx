import type { FormEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { getInstanceSettings, type StoredInstanceSettings } from '#contract/instance/endpoints.ts'
import { instancePagePath, instancePages } from '#contract/instance/pages.ts'
import { instanceLabels } from '#contract/instance/settings.ts'
import { type InstanceSwitch, instanceSwitches } from '#contract/instance/switches.ts'
import { useAreKeysAwaited, useSession, useSignInAgain } from '#web/features/account/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { AnnouncementFields } from './AnnouncementFields.tsx'
import { ListFields } from './ListFields.tsx'
import { LookFields } from './LookFields.tsx'
import { type Setting, useInstanceForm } from './use-instance-form.ts'

export function InstanceForm() {
  const { user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  const settings = useEndpoint(getInstanceSettings, { staleTime: 0 })
  if (settings.status === 'ready' && user !== null && !areKeysAwaited)
    return <Form stored={settings.data} adminId={user.id} />
  return <NotReady of={settings} what="The settings" waiting={<Skeleton className="h-screen" />} />
}

type TextSetting = {
  [S in Setting]: string extends StoredInstanceSettings[S] ? S : never
}[Setting]

function Form({ stored, adminId }: { stored: StoredInstanceSettings; adminId: string }) {
  const form = useInstanceForm(stored, adminId)
  const toast = useToast()
  const { environment } = stored
  const cannotSave = !form.isChanged || form.isWrong || form.isSaving
  const save = async () => {
    if (!cannotSave && (await form.save())) toast({ title: 'The settings are saved.' })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const { error, isChanged } = form
  const signInAgain = useSignInAgain(
    { state: error ? 'failed' : isChanged ? 'changed' : 'saved', error },
    () => void save(),
    '[type=submit]',
  )
  const fieldOf = (name: TextSetting) => ({
    label: instanceLabels[name],
    dir: 'auto',
    value: form.values[name],
    error: form.errors[name],
    onChange: ({ target }: { target: { value: string } }) => form.change(name, target.value),
  })
  return (
    <>
      <form
        noValidate
        onSubmit={submit}
        onKeyDown={submitOnCtrlEnter}
        className="flex max-w-reading flex-col gap-6"
      >
        <Part title="About this instance">
          <TextField
            {...fieldOf('name')}
            autoComplete="off"
            hint={`Shown in the footer, in feeds and in previews of links. If you leave it empty, the name from the settings of the server is shown: ${environment.name}.`}
          />
          <TextField
            {...fieldOf('description')}
            autoComplete="off"
            hint="One line for search engines, previews of links and new people."
          />
          <TextArea {...fieldOf('welcome')} hint="People read it before they sign up." />
          <TextField
            {...fieldOf('supportEmail')}
            type="email"
            autoComplete="off"
            hint={`The address for questions. If you leave it empty, the address from the settings of the server is shown: ${environment.supportEmail}.`}
          />
          <TextArea {...fieldOf('imprint')} hint="Who runs this instance. Shown on the page About." />
        </Part>
        <Part title="Look">
          <LookFields
            accent={form.values.accent}
            icon={form.values.icon}
            onAccent={(accent) => form.change('accent', accent)}
            onIcon={(icon) => form.change('icon', icon)}
          />
        </Part>
        <Part title="Terms, privacy and rules">
          <p className="text-sm text-ink-soft">
            Each text has a page of its own, with a link in the footer and at sign-up. People who sign up
            agree to the terms and the rules. Below your text about privacy the program says what it does with
            texts. A line that begins with # or ## is a heading, and a blank line ends a paragraph.
          </p>
          {instancePages.map((page) => (
            <div key={page} className="flex flex-col items-start gap-2 *:first:w-full">
              <TextArea {...fieldOf(page)} rows={6} />
              {(page === 'privacy' || stored[page] !== '') && (
                <Link href={instancePagePath(page)} className={buttonClass('link', 'text-sm')}>
                  See {instancePagePath(page)}
                </Link>
              )}
            </div>
          ))}
        </Part>
        <Part title="Announcement">
          <AnnouncementFields
            announcement={form.values.announcement}
            error={form.errors.announcement}
            onChange={(announcement) => form.change('announcement', announcement)}
          />
        </Part>
        <Part title="What people find here">
          {instanceSwitches.map((name) => (
            <div key={name}>
              <Checkbox
                label={instanceLabels[name]}
                checked={form.values[name]}
                onChange={({ target }) => form.change(name, target.checked)}
              />
              <p className="ps-7 text-xs text-ink-soft">{switchHints[name]}</p>
            </div>
          ))}
        </Part>
        <Part title="Review and sign-up">
          <ListFields
            names={['watchedWords', 'refusedEmails', 'refusedNetworks']}
            values={form.values}
            errors={form.errors}
            onChange={form.change}
          />
        </Part>
        <Part title="Crawlers">
          <div>
            <Checkbox
              label={instanceLabels.modelTraining}
              checked={form.values.modelTraining}
              onChange={({ target }) => form.change('modelTraining', target.checked)}
            />
            <p className="ps-7 text-xs text-ink-soft">
              They may read what everybody can read. While this is off, robots.txt and the headers of every
              answer ask them to stay away. Search engines and previews of links are as before. The page
              Privacy says which of the two it is.
            </p>
          </div>
        </Part>
        <div className="sticky bottom-(--foot) flex flex-col gap-3 border-t border-line bg-paper py-3">
          <p role="alert" className="text-sm font-medium text-bad empty:hidden">
            {form.failure ?? form.conflict}
          </p>
          <div className="flex items-center justify-end gap-3">
            <output className="min-w-0 text-xs text-ink-soft">
              {form.isChanged && 'Kept on this device until it is saved.'}
            </output>
            <span className="me-auto">{signInAgain.button}</span>
            {form.isChanged && (
              <Button variant="quiet" onClick={form.discard}>
                Discard
              </Button>
            )}
            <Button type="submit" disabled={cannotSave && !form.isSaving} busy={form.isSaving}>
              Save
            </Button>
          </div>
        </div>
      </form>
      {signInAgain.dialog}
    </>
  )
}

const switchHints: Record<InstanceSwitch, string> = {
  competition: 'The card of the month below the feed.',
  premium:
    'Posts that appear at once, or at a time that their author chooses. Without it every post is reviewed.',
  tips: 'A demo without a charge, in profiles and beside the texts of sample creators.',
  samples: 'Invented people with texts, on their page, below the feed and in the search.',
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card as="section" aria-label={title} className="flex flex-col gap-5">
    <h2 className="text-xl">{title}</h2>
    {children}
  </Card>
)
