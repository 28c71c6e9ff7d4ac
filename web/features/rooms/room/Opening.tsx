/** The text with which a story begins, in the columns of its passages. */
export const Opening = ({ text }: { text: string }) => (
  <div className="grid gap-x-6 gap-y-0.5 border-s-2 border-transparent ps-4 md:grid-cols-[10rem_minmax(0,1fr)]">
    <p className="pt-1 text-xs text-ink-soft md:text-end">Opening</p>
    <p dir="auto" className="reading max-w-reading italic wrap-anywhere whitespace-pre-wrap">
      {text}
    </p>
  </div>
)
