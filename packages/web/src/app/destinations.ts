/** Owns the list of destinations. A new screen is a folder and one row here. */
import {
  Activity,
  BookOpenText,
  Brain,
  Cable,
  CalendarClock,
  CircleDollarSign,
  HeartPulse,
  Inbox,
  type LucideIcon,
  MessageSquareText,
  MonitorSmartphone,
  Scale,
  Sun,
  Target,
  Wrench,
} from 'lucide-react'
import type { ComponentType } from 'react'

export const groups = ['Work', 'Oversight', 'Knows', 'Connections', 'System'] as const
export type Group = (typeof groups)[number]

/** What the `index.tsx` of a screen's folder exports as `screen`. */
export interface Screen {
  readonly component: ComponentType
}

export type LoadScreen = () => Promise<{ readonly screen: Screen }>

export interface Destination {
  /** Everything below it belongs to the screen too; `usePlace` reads it. */
  readonly path: string
  readonly title: string
  readonly group: Group
  /** After `g`. */
  readonly key: string
  readonly icon: LucideIcon
  readonly load: LoadScreen
}

export const destinations: readonly Destination[] = [
  {
    path: '/',
    title: 'Today',
    group: 'Work',
    key: 't',
    icon: Sun,
    load: () => import('../screens/today/index.tsx'),
  },
  {
    path: '/chat',
    title: 'Chat',
    group: 'Work',
    key: 'c',
    icon: MessageSquareText,
    load: () => import('../screens/chat/index.tsx'),
  },
  {
    path: '/goals',
    title: 'Goals',
    group: 'Work',
    key: 'g',
    icon: Target,
    load: () => import('../screens/goals/index.tsx'),
  },
  {
    path: '/automations',
    title: 'Automations',
    group: 'Work',
    key: 'u',
    icon: CalendarClock,
    load: () => import('../screens/automations/index.tsx'),
  },
  {
    path: '/approvals',
    title: 'Approvals',
    group: 'Oversight',
    key: 'a',
    icon: Inbox,
    load: () => import('../screens/approvals/index.tsx'),
  },
  {
    path: '/activity',
    title: 'Activity',
    group: 'Oversight',
    key: 'v',
    icon: Activity,
    load: () => import('../screens/activity/index.tsx'),
  },
  {
    path: '/ledger',
    title: 'Ledger',
    group: 'Oversight',
    key: 'l',
    icon: BookOpenText,
    load: () => import('../screens/ledger/index.tsx'),
  },
  {
    path: '/policy',
    title: 'Policy',
    group: 'Oversight',
    key: 'p',
    icon: Scale,
    load: () => import('../screens/policy/index.tsx'),
  },
  {
    path: '/costs',
    title: 'Costs',
    group: 'Oversight',
    key: '$',
    icon: CircleDollarSign,
    load: () => import('../screens/costs/index.tsx'),
  },
  {
    path: '/memory',
    title: 'Memory',
    group: 'Knows',
    key: 'm',
    icon: Brain,
    load: () => import('../screens/memory/index.tsx'),
  },
  {
    path: '/tools',
    title: 'Tools',
    group: 'Connections',
    key: 'x',
    icon: Wrench,
    load: () => import('../screens/tools/index.tsx'),
  },
  {
    path: '/channels',
    title: 'Channels',
    group: 'Connections',
    key: 'n',
    icon: Cable,
    load: () => import('../screens/channels/index.tsx'),
  },
  {
    path: '/devices',
    title: 'Devices',
    group: 'Connections',
    key: 'd',
    icon: MonitorSmartphone,
    load: () => import('../screens/devices/index.tsx'),
  },
  {
    path: '/health',
    title: 'Health',
    group: 'System',
    key: 'h',
    icon: HeartPulse,
    load: () => import('../screens/health/index.tsx'),
  },
]

/** Behind the avatar, not on the rail. */
export const settings = {
  path: '/settings',
  title: 'Settings',
  load: () => import('../screens/settings/index.tsx'),
}

/** A page of its own, without the rail. */
export const setup = { path: '/setup', title: 'Setup', load: () => import('../screens/setup/index.tsx') }

/** The ones on the bar of a phone; the rest are behind More. */
export const thumbPaths: readonly string[] = ['/', '/chat', '/approvals', '/activity']

export function destinationOf(pathname: string): Destination | undefined {
  return destinations.find(({ path }) => (path === '/' ? pathname === '/' : isWithin(pathname, path)))
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`)
}
