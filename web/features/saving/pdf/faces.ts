import type { Font } from 'fontkit'
import { bodyFile, filesFor } from './font-files.ts'
import { openFont } from './library-internals.ts'

export interface Faces {
  body: Font
  /** The font that has a letter and all its marks, undefined when no font has them. */
  faceOf: (letter: string) => Font | undefined
}

/** Loads only the fonts that the texts need. */
export async function facesFor(
  texts: Iterable<string>,
  loadFont: (file: string) => Promise<Uint8Array>,
): Promise<Faces> {
  const opened = new Map<string, Font>()
  const open = async (file: string) => {
    const font = opened.get(file) ?? openFont(await loadFont(file))
    opened.set(file, font)
    return font
  }
  const body = await open(bodyFile)
  const signs = signsOf(texts)
  const isJapanese = [...signs].some((sign) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign))
  const faces = new Map<string, Font>()
  for (const sign of signs) {
    const hasEmoji = /\p{Emoji_Presentation}/u.test(sign)
    if (has(body, sign) && !hasEmoji) faces.set(sign, body)
    for (const file of faces.has(sign) ? [] : filesFor(sign, isJapanese)) {
      const font = await open(file)
      if (!has(font, sign)) continue
      faces.set(sign, font)
      break
    }
  }
  return { body, faceOf: (letter) => faceOf(letter, faces, [...opened.values()]) }
}

function signsOf(texts: Iterable<string>): Set<string> {
  const signs = new Set<string>()
  for (const text of texts) for (const sign of text) signs.add(sign)
  return signs
}

/** Whether a character has no glyph of its own: joiners, direction marks, variation selectors. */
const isInvisible = (sign: string) => /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(sign)

function faceOf(letter: string, faces: Map<string, Font>, all: Font[]): Font | undefined {
  const signs = [...letter].filter((sign) => !isInvisible(sign))
  const holds = (font: Font) => signs.every((sign) => has(font, sign))
  const likely = signs.flatMap((sign) => faces.get(sign) ?? [])
  return likely.find(holds) ?? all.find(holds)
}

const has = (font: Font, sign: string) => font.hasGlyphForCodePoint(sign.codePointAt(0)!)
