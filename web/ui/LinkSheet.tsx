import type { ReactNode } from 'react'
import { Drawing } from './Drawing.tsx'

interface LinkSheetProps {
  title: string
  children: ReactNode
  action: ReactNode
  /** It takes the place of a form: the focus goes to the title. */
  isNews?: boolean | undefined
}

/** What a page says that a person opens by a link from elsewhere. */
export const LinkSheet = ({ title, children, action, isNews = false }: LinkSheetProps) => (
  <div className="flex w-full max-w-xl flex-col items-start gap-5">
    <Drawing of="door" />
    <h1 ref={isNews ? focus : undefined} tabIndex={-1} className="text-2xl text-balance outline-none">
      {title}
    </h1>
    <p className="max-w-prose font-serif text-lg text-balance text-ink-soft">{children}</p>
    {action}
  </div>
)

const focus = (element: HTMLElement | null) => element?.focus()
