import type { ReactNode } from 'react'
import { refusedEmailsMax, refusedNetworksMax } from '#contract/instance/refused-sign-ups.ts'
import { instanceLabels } from '#contract/instance/settings.ts'
import { watchedLinesMax, watchedPhraseMax } from '#contract/instance/watched-words.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { Setting } from './use-instance-form.ts'

type ListSetting = Extract<Setting, 'watchedWords' | 'refusedEmails' | 'refusedNetworks'>

interface ListsProps {
  names: readonly ListSetting[]
  values: Record<ListSetting, string>
  errors: { [S in ListSetting]?: string | undefined }
  onChange: (name: ListSetting, list: string) => void
}

const hints: Record<ListSetting, ReactNode> = {
  watchedWords: `One word or phrase a line, at most ${watchedLinesMax}. A post that contains one waits for review, also a premium post, a correction and a scheduled post. A phrase has at most ${watchedPhraseMax} words. Capital letters and accents make no difference. Posts of admins, passages and messages are not compared.`,
  refusedEmails: `One domain or address a line, at most ${refusedEmailsMax}. A domain such as example.org stands for mail.example.org too. Nobody signs up by such an address. People who have an account keep it.`,
  refusedNetworks: `One address or network a line, such as 192.0.2.0/24 or 2001:db8::/48, at most ${refusedNetworksMax}. Nobody signs up from there. People who have an account can still sign in.`,
}

/** The lists of an admin: words that hold a post for review, and what nobody signs up by. */
export const ListFields = ({ names, values, errors, onChange }: ListsProps) =>
  names.map((name) => (
    <TextArea
      key={name}
      label={instanceLabels[name]}
      hint={hints[name]}
      rows={4}
      dir="auto"
      spellCheck={false}
      value={values[name]}
      error={errors[name]}
      onChange={({ target }) => onChange(name, target.value)}
    />
  ))
