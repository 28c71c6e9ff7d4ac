import { cut } from '#contract/text.ts'
import { WrittenText } from '#web/ui/WrittenText.tsx'

const previewLength = 150

/** The beginning of a post. */
export const PostPreview = ({ content }: { content: string }) => (
  <p dir="auto" className="mt-2 font-serif whitespace-pre-wrap wrap-anywhere">
    <WrittenText text={cut(content, previewLength)} titleAs="span" titleClass="text-lg" />
  </p>
)
