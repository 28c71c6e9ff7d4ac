import { type Accent, accents } from './accents.ts'

/** The icons from which admins choose. The first one is the default. */
export const iconNames = ['mark', 'lamp', 'book', 'pen', 'door', 'window', 'sheet', 'leaf'] as const
export type Icon = (typeof iconNames)[number]

export const iconLabels: Record<Icon, string> = {
  mark: 'Z!',
  lamp: 'Lamp',
  book: 'Book',
  pen: 'Pen',
  door: 'Door',
  window: 'Window',
  sheet: 'Sheet',
  leaf: 'Leaf',
}

const ground = '#211C15'
const paper = '#FBF7F0'

/** In a square of 64. All of it is in the circle that remains when a system cuts the icon. */
const shapes: Record<Icon, (accent: string) => string> = {
  mark: (accent) => `  <path d="M14 17h24v5L22.5 42H38v5H14v-5l15.5-20H14z" fill="${paper}" />
  <path d="M44.5 17h6.5l-1.2 19.5h-4.1z" fill="${accent}" />
  <circle cx="47.75" cy="43.6" r="3.9" fill="${accent}" />`,
  lamp: (accent) => `  <path d="M25 13h14l8 17H17z" fill="${paper}" />
  <path d="M25.5 33h13a6.5 6.5 0 0 1-13 0z" fill="${accent}" />
  <path d="M29.75 41.5h4.5V47H43v5H21v-5h8.75z" fill="${paper}" />`,
  book: (accent) => `  <path d="M11 18c8-3 14-2 19.5 2v28c-5.5-4-11.5-5-19.5-2z" fill="${paper}" />
  <path d="M53 18c-8-3-14-2-19.5 2v28c5.5-4 11.5-5 19.5-2z" fill="${paper}" />
  <path d="M40 12.5h7.5V34l-3.75-3.5L40 34z" fill="${accent}" />`,
  pen: (accent) => `  <path d="M32 9l11 22-7 14h-8l-7-14z" fill="${paper}" />
  <path d="M30.5 9h3v19h-3z" fill="${ground}" />
  <circle cx="32" cy="30.5" r="3.5" fill="${ground}" />
  <path d="M24 48.5h16v6H24z" fill="${accent}" />`,
  door: (accent) => `  <path d="M19 11h26v42h-4.5V15.5h-17V53H19z" fill="${paper}" />
  <path d="M26 19l11.5 4v30H26z" fill="${accent}" />
  <circle cx="34.5" cy="38" r="2" fill="${ground}" />`,
  window: (accent) => `  <path d="M16 14h14.5v16.5H16z" fill="${paper}" />
  <path d="M33.5 14H48v16.5H33.5z" fill="${accent}" />
  <path d="M16 33.5h14.5V50H16z" fill="${paper}" />
  <path d="M33.5 33.5H48V50H33.5z" fill="${paper}" />`,
  sheet: (accent) => `  <path d="M19 11h18l8 8v34H19z" fill="${paper}" />
  <path d="M24 24h16v4H24zM24 32h16v4H24z" fill="${ground}" />
  <path d="M24 40h10v5H24z" fill="${accent}" />`,
  leaf: (accent) => `  <path d="M49 13c2 22-6 33-25 33-6-20 6-32 25-33z" fill="${accent}" />
  <path d="M42 20C29 28 20 39 15 53" fill="none" stroke="${paper}" stroke-width="4.5" stroke-linecap="round" />`,
}

/** An icon as SVG. A maskable one has no round corners: the system cuts it. */
export const iconOf = (icon: Icon, accent: Accent, { isMaskable = false } = {}): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64"${isMaskable ? '' : ' rx="14"'} fill="${ground}" />
${shapes[icon](accents[accent].night.lamp)}
</svg>
`
