import { cut, isBlank } from '#contract/text.ts'

// With its extension a name of so many characters of four bytes has less than the 255 bytes that file systems allow.
const longestName = 60

/**
 * The name of a file, made of a text of a person. It has nothing that a system refuses, and nothing that makes its extension
 * look like another one. `plainName` is the name for a text without usable characters.
 */
export function fileName(title: string, plainName: string, extension: string): string {
  const name = cut(title.replace(/[\s\p{Cc}\p{Bidi_Control}"*/:<>?\\|]+/gu, ' ').trim(), longestName)
    .replace(/^[\s.]+|[\s.]+$/g, '')
    // The names of devices, which Windows also refuses with an extension.
    .replace(/^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=$|\.)/i, '$1_')
  return `${isBlank(name) ? plainName : name}.${extension}`
}
