import { useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { categories, foundCategoryOf } from '#contract/feed/categories.ts'
import { tagsMax } from '#contract/feed/post.ts'
import { formOf } from '#contract/text-form.ts'
import { nfc } from '#contract/text.ts'
import { useHas } from '#web/lib/app-config.tsx'
import { Field } from '#web/ui/Field.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { cx } from '#web/ui/cx.ts'
import { lineClass } from './SheetFields.tsx'
import type { WrittenDraft } from './use-draft.ts'
import type { Submission } from './use-submission.ts'

interface FieldsProps {
  draft: WrittenDraft
  submission: Pick<Submission, 'authorName' | 'errors'>
}

export function AuthorField({ draft: { choose }, submission: { authorName, errors } }: FieldsProps) {
  return (
    <Field label="Author name" error={errors.authorName}>
      {(control) => (
        <input
          {...control}
          autoComplete="name"
          value={authorName}
          onChange={(event) => choose({ authorName: event.target.value })}
          className={cx(lineClass, 'border-edge')}
        />
      )}
    </Field>
  )
}

export function PublishingOption({
  draft: { choices, choose },
  user,
}: {
  draft: WrittenDraft
  user: User | null
}) {
  if (!useHas('premium')) return null
  return (
    <RadioGroup
      legend="Publishing option"
      plain
      options={[
        {
          value: 'standard',
          label: 'Standard',
          hint: 'Free. Your post is reviewed first; this takes up to 1 week.',
        },
        {
          value: 'premium',
          label: 'Premium',
          hint: `Published instantly. Subscription of $5/month.${user === null || user.isAnonymous ? ' Without an account your post still waits for review.' : ''}`,
        },
      ]}
      value={choices.postType}
      onChange={(postType) => choose({ postType })}
    />
  )
}

/** How the text is set, and where readers find it. */
export function KindFields({ draft, submission }: FieldsProps) {
  const { editor, choices, choose } = draft
  const [tags, setTags] = useState(choices.tags.join(', '))
  const guessedForm = formOf(editor.text).isVerse ? 'verse' : 'prose'
  const guessedCategory = foundCategoryOf(editor.text)
  return (
    <>
      <RadioGroup
        legend="Form"
        inline
        options={[
          { value: 'verse', label: 'Verse' },
          { value: 'prose', label: 'Prose' },
        ]}
        value={choices.form ?? guessedForm}
        onChange={(form) => choose({ form })}
      />
      <SelectField
        label="Category"
        hint={guessedCategory && `Its words suggest ${guessedCategory}.`}
        options={[{ value: '', label: 'No choice' }, ...categories]}
        value={choices.category ?? ''}
        onChange={(category) => choose({ category: category || null })}
      />
      <Field
        label="Tags (optional)"
        hint={`Up to ${tagsMax}, with commas between them.`}
        error={
          tagsOf(tags).length > tagsMax ? `Please choose at most ${tagsMax} tags.` : submission.errors.tags
        }
      >
        {(control) => (
          <input
            {...control}
            value={tags}
            autoComplete="off"
            onChange={(event) => {
              setTags(event.target.value)
              choose({ tags: tagsOf(event.target.value).slice(0, tagsMax) })
            }}
            className={cx(lineClass, 'border-edge')}
          />
        )}
      </Field>
    </>
  )
}

/** The tags of a line with commas. One that differs from another in its case or its spelling in Unicode alone is the same tag. */
function tagsOf(typed: string): string[] {
  const tags = typed
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const compared = tags.map((tag) => nfc(tag).toLowerCase())
  return tags.filter((_, at) => compared.indexOf(compared[at]!) === at)
}
