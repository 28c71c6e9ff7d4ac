import { BookOpen, CalendarDays, DoorOpen, House, type LucideIcon, Settings, Sparkles } from 'lucide-react'

export interface Entry {
  label: string
  href: string
  icon: LucideIcon
}

export const entries: readonly Entry[] = [
  { label: 'Diary', href: '/diary', icon: BookOpen },
  { label: 'Calendar', href: '/calendar', icon: CalendarDays },
  { label: 'Home', href: '/dashboard', icon: House },
  { label: 'Z!mmers', href: '/zimmers?view=rooms', icon: DoorOpen },
  { label: 'Z!mmer Profiles', href: '/zimmers', icon: Sparkles },
  { label: 'Settings', href: '/settings', icon: Settings },
]

/** Where the sample creators are switched off. */
export const withoutProfiles = entries.filter(({ href }) => href !== '/zimmers')
