import { type InstancePage, instancePagePath, instancePageTitles } from '#contract/instance/pages.ts'

/** Says to what a person agrees by signing up. The links open beside the form, which keeps its texts. */
export function Agreement({ pages }: { pages: readonly InstancePage[] }) {
  const agreed = pages.filter((page) => page !== 'privacy')
  return (
    <p className="text-sm text-ink-soft">
      {agreed.length > 0 && (
        <>
          By signing up you agree to the{' '}
          {agreed.map((page, number) => [number > 0 && ' and the ', linkTo(page)])}.
        </>
      )}
      {pages.includes('privacy') && <> Read in {linkTo('privacy')} what is done with your texts.</>}
    </p>
  )
}

const linkTo = (page: InstancePage) => (
  <a
    key={page}
    href={instancePagePath(page)}
    target="_blank"
    rel="noreferrer"
    className="text-lamp underline underline-offset-4"
  >
    {instancePageTitles[page]}
  </a>
)
