export interface LineDrawingProps {
  /** The path of its dark lines. */
  ink: string
  /** The path of its line in the colour of the lamp. */
  light: string
}

/** A small line drawing, 96 wide and 72 high. */
export function LineDrawing({ ink, light }: LineDrawingProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 96 72"
      className="h-18 w-24 fill-none stroke-edge stroke-[1.5]"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={`M8 64h80${ink}`} />
      <path d={light} className="stroke-lamp" />
    </svg>
  )
}

/** A sheet of paper with its first line. In this file, because it alone is part of the first page. */
export const pageDrawing: LineDrawingProps = {
  ink: 'M30 64V12h28l10 10v42M58 12v10h10M38 42h22M38 50h14',
  light: 'M38 32h12',
}
