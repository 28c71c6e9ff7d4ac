type PictureOf = keyof typeof pictures

/** A small line drawing in the colours of the theme; `className` gives its size. */
export function Picture({ of, className }: { of: PictureOf; className: string }) {
  const { ink, light } = pictures[of]
  return (
    <svg
      aria-hidden
      viewBox="0 0 48 48"
      className={`fill-none stroke-edge stroke-[1.25] ${className}`}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={ink} />
      <path d={light} className="stroke-lamp" />
    </svg>
  )
}

const pictures = {
  quill: { ink: 'M34 10C22 12 16 20 15 33M34 10c1 9-4 16-17 17', light: 'M12 38h20' },
  story: { ink: 'M24 16c-4-4-9-4-14-3v21c5-1 10-1 14 3c4-4 9-4 14-3V13c-5-1-10-1-14 3z', light: 'M24 16v21' },
  mountains: { ink: 'M8 32l10-16l7 11l4-6l11 11z', light: 'M24 38v-2M24 43v-2' },
  screen: { ink: 'M9 12h30v20H9zM19 38h10', light: 'M16 18l4 4l-4 4M24 26h6' },
  cup: { ink: 'M12 22h20v8c0 9-20 9-20 0zM32 24c7-1 7 7 0 7', light: 'M18 10v6M25 10v6' },
  photograph: { ink: 'M11 11h26v26H11zM11 29l8-7l7 7l4-4l7 6', light: 'M29 18h1' },
}
