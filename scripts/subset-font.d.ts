declare module 'subset-font' {
  interface Options {
    keepAllGlyphs: boolean
    targetFormat: 'woff2'
    /** OpenType tags. */
    keepFeatures: readonly string[]
    variationAxes: Record<string, { min: number; max: number }>
  }

  /** `text` names the letters to keep; it is undefined with `keepAllGlyphs`. */
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: Options,
  ): Promise<Buffer>
}
