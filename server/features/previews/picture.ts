import { join } from 'node:path'
import sharp from 'sharp'
import { isBlank } from '#contract/text.ts'
import { escapeMarkup } from '#server/platform/escape.ts'
import { graphemesOf, type Preview, shorten } from './preview.ts'

// fontconfig reads this variable when the first text is drawn.
process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'fonts.conf')

// A drawing uses one thread, and sharp caches nothing of it.
sharp.cache(false)
sharp.concurrency(1)

export const width = 1200
export const height = 630
export const margin = 88
const gap = 30
/** The distance from the top to the middle of the title and the text below it. */
const middle = 270

/** The colours of `web/styles/tokens.css` by day, without the accent. */
export const colours = {
  paper: '#fbf7f0',
  line: '#e6ddcf',
  ink: '#211c15',
  'ink-soft': '#5c5347',
}
const backgroundIn = (lamp: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${colours.paper}"/>
<rect width="100%" height="10" fill="${lamp}"/>
<rect x="${margin}" y="498" width="${width - 2 * margin}" height="2" fill="${colours.line}"/>
</svg>`)

interface Style {
  font: string
  px: number
  colour: string
  maxLines: number
}

/** The second style is for a title that does not fit in the first one. */
export const titleStyles: Style[] = [72, 56].map((px) => ({
  font: 'Literata Semi-Bold',
  px,
  colour: colours.ink,
  maxLines: 3,
}))
export const belowStyle: Style = { font: 'Literata', px: 34, colour: colours['ink-soft'], maxLines: 2 }
const wordmarkStyle: Style = { font: 'Literata Semi-Bold', px: 48, colour: colours.ink, maxLines: 1 }

export interface Picture extends Preview {
  lamp: string
}

/** Draws a preview picture as PNG, off the main thread. */
export async function drawPicture({ title, below, lamp }: Picture): Promise<Buffer> {
  const texts = [await drawText(title, titleStyles), await drawText(below, [belowStyle])].filter(
    (text) => text !== undefined,
  )
  const wordmark = await drawMarkup(`Z<span foreground="${lamp}">!</span>mmer`, wordmarkStyle)
  const isFromRight = startsFromRight(title)
  let top = middle - Math.round(texts.reduce((sum, text) => sum + text.info.height + gap, -gap) / 2)
  const layers = texts.map((text) => {
    const layer = layerOf(text, { left: isFromRight ? width - margin - text.info.width : margin, top })
    top += text.info.height + gap
    return layer
  })
  layers.push(layerOf(wordmark, { left: margin, top: 536 }))
  return sharp(backgroundIn(lamp)).composite(layers).png().toBuffer()
}

type Drawn = Awaited<ReturnType<typeof drawMarkup>>

/** How often a text that is too long is drawn with fewer letters. Usually one or two times are enough. */
const maxCuts = 3

/** Undefined for a text that shows nothing. */
export async function drawText(
  text: string,
  styles: readonly Style[],
  draw = drawMarkup,
): Promise<Drawn | undefined> {
  if (isBlank(text)) return undefined
  let drawn: Drawn | undefined
  for (const style of styles) {
    drawn = await draw(escapeMarkup(text), style)
    if (drawn.info.height <= maxHeightOf(style)) return drawn
  }
  const style = styles.at(-1)!
  let { length } = graphemesOf(text)
  for (let cuts = 0; cuts < maxCuts && drawn!.info.height > maxHeightOf(style); cuts++) {
    length = Math.floor(length * Math.min(0.9, maxHeightOf(style) / drawn!.info.height))
    drawn = await draw(escapeMarkup(shorten(text, length)), style)
  }
  return drawn!.info.height <= maxHeightOf(style) ? drawn : shrink(drawn!, maxHeightOf(style))
}

/** Letters that are too high even so, as a few of them are. */
const shrink = ({ data, info: { width, height, channels } }: Drawn, maxHeight: number): Promise<Drawn> =>
  sharp(data, { raw: { width, height, channels } })
    .resize({ height: Math.floor(maxHeight), fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })

const lineHeightOf = ({ px }: Style) => 1.35 * px
const maxHeightOf = (style: Style) => lineHeightOf(style) * style.maxLines

/** Draws text in the markup of Pango, which breaks its lines. The picture is as large as its letters. */
export const drawMarkup = (markup: string, style: Style) =>
  sharp({
    text: {
      // The unit of Pango is a 1024th of a point.
      text: `<span foreground="${style.colour}" line_height="${Math.round(1024 * lineHeightOf(style))}">${markup}</span>`,
      font: `${style.font} ${style.px}`,
      // A point is a pixel.
      dpi: 72,
      width: width - 2 * margin,
      wrap: 'word-char',
      rgba: true,
    },
  })
    // Letters that no line break can separate may be wider than the picture.
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })

const layerOf = ({ data, info }: Drawn, place: { left: number; top: number }) => ({
  input: data,
  raw: { width: info.width, height: info.height, channels: info.channels },
  ...place,
})

/** Whether the first letter belongs to a script that is written from right to left. */
const startsFromRight = (text: string) =>
  /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text)
