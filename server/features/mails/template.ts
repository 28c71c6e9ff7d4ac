import { type Accent, type AccentColours, accents } from '#contract/instance/accents.ts'
import { escapeMarkup } from '#server/platform/escape.ts'

/** What a mail says, as plain text. */
export interface Letter {
  subject: string
  title: string
  paragraphs: readonly string[]
  button: { label: string; address: string } | undefined
  /** Where the person chooses which mails to get, for a mail that can be switched off. */
  choicesAddress?: string | undefined
  headers?: Record<string, string>
}

interface Sender {
  /** The name of the instance or its company. */
  name: string
  origin: string
  supportEmail: string
  accent: Accent
}

/** A mail in two forms, with the same words. */
export function writeMail(
  { subject, title, paragraphs, button, choicesAddress }: Letter,
  { name, origin, supportEmail, accent }: Sender,
): { subject: string; text: string; html: string } {
  const footer = `This mail was sent by ${name} (${origin}). Questions? Write to ${supportEmail}.`
  const text = [
    title,
    ...paragraphs,
    ...(button === undefined ? [] : [`${button.label}:\n${button.address}`]),
    `-- \n${footer}`,
    ...(choicesAddress === undefined ? [] : [`${choosing}:\n${choicesAddress}`]),
  ].join('\n\n')
  return {
    subject,
    text: `${text}\n`,
    html: htmlOf({ title, paragraphs, button, choicesAddress, footer, accent }),
  }
}

const choosing = 'Choose which mails you get, or switch all of them off, without signing in'

// The colours of the page by day; programs that show mails by night get those of the night.
const nightOf = ({ lamp, onLamp }: AccentColours) => `
@media (prefers-color-scheme: dark) {
  .paper { background: #15120e !important }
  .card { background: #1e1a15 !important; border-color: #35302a !important }
  .ink, h1 { color: #efe7da !important }
  .soft { color: #b5a995 !important }
  .lamp { color: ${lamp} !important }
  .button { background: ${lamp} !important; color: ${onLamp} !important }
}`
const serif = "font-family: Literata, Georgia, 'Times New Roman', serif"
const sans = "font-family: Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

type Shown = Omit<Letter, 'subject' | 'headers'> & { footer: string; accent: Accent }

function htmlOf({ title, paragraphs, button, choicesAddress, footer, accent }: Shown): string {
  const { day, night } = accents[accent]
  const lines = paragraphs.map(
    (text) =>
      `<p class="ink" style="margin: 0 0 16px; ${serif}; font-size: 17px; line-height: 1.6; color: #211c15">${escapeMarkup(text)}</p>`,
  )
  const action =
    button &&
    `<p style="margin: 24px 0 20px"><a class="button" href="${escapeMarkup(button.address)}" style="display: inline-block; padding: 12px 20px; border-radius: 6px; ${sans}; font-size: 16px; font-weight: 600; text-decoration: none; background: ${day.lamp}; color: ${day.onLamp}">${escapeMarkup(button.label)}</a></p>
<p class="soft" style="margin: 0; ${sans}; font-size: 13px; line-height: 1.5; color: #5c5347; overflow-wrap: anywhere">Or open this address: ${escapeMarkup(button.address)}</p>`
  const choice =
    choicesAddress === undefined
      ? ''
      : `<br><a class="lamp" href="${escapeMarkup(choicesAddress)}" style="color: ${day.lamp}">${choosing}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<style>${nightOf(night)}
</style>
</head>
<body class="paper" style="margin: 0; padding: 0; background: #fbf7f0">
<div class="paper" style="padding: 32px 16px; background: #fbf7f0">
<div style="max-width: 560px; margin: 0 auto">
<p class="ink" style="margin: 0 0 16px; ${serif}; font-size: 26px; color: #211c15">Z<span class="lamp" style="color: ${day.lamp}">!</span>mmer</p>
<div class="card" style="padding: 28px; border: 1px solid #e6ddcf; border-radius: 10px; background: #ffffff">
<h1 style="margin: 0 0 16px; ${serif}; font-size: 24px; line-height: 1.3; font-weight: 600; color: #211c15">${escapeMarkup(title)}</h1>
${lines.join('\n')}
${action ?? ''}
</div>
<p class="soft" style="margin: 16px 0 0; ${sans}; font-size: 13px; line-height: 1.5; color: #5c5347">${escapeMarkup(footer)}${choice}</p>
</div>
</div>
</body>
</html>
`
}
