/** The accent colours from which admins choose. The first one is the default. */
export const accentNames = ['lamp', 'ochre', 'moss', 'pine', 'sea', 'iris', 'plum', 'rose'] as const
export type Accent = (typeof accentNames)[number]

export interface AccentColours {
  lamp: string
  /** What stands on it. */
  onLamp: string
}

/**
 * The colours by day and by night, for mails, pictures, icons and the manifest. `web/styles/accents.css` has the same ones for
 * pages, and contrast.test.ts compares the two.
 */
export const accents: Record<Accent, { label: string; day: AccentColours; night: AccentColours }> = {
  lamp: accent('Lamp', ['#a34717', '#ffffff'], ['#f0a35e', '#241405']),
  ochre: accent('Ochre', ['#7f5a00', '#ffffff'], ['#e6bd55', '#221800']),
  moss: accent('Moss', ['#4a6512', '#ffffff'], ['#b3cd74', '#141b04']),
  pine: accent('Pine', ['#1c6651', '#ffffff'], ['#7fcfb2', '#04201a']),
  sea: accent('Sea', ['#1f6080', '#ffffff'], ['#86c5e4', '#051c28']),
  iris: accent('Iris', ['#5546a8', '#ffffff'], ['#b9aff7', '#17113c']),
  plum: accent('Plum', ['#7d3a86', '#ffffff'], ['#dba3e0', '#2a0d2e']),
  rose: accent('Rose', ['#a83362', '#ffffff'], ['#f5a0bd', '#330a1a']),
}

function accent(label: string, [day, onDay]: [string, string], [night, onNight]: [string, string]) {
  return { label, day: { lamp: day, onLamp: onDay }, night: { lamp: night, onLamp: onNight } }
}
