/** Owns the list of destinations. A new screen is a folder and one row here. */
import {
  Activity,
  BookOpenText,
  Bot,
  Brain,
  CalendarClock,
  CircleDollarSign,
  Cpu,
  Folder,
  HeartPulse,
  Inbox,
  Library,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  MonitorSmartphone,
  Puzzle,
  Scale,
  Sun,
  Target,
  Wrench,
} from 'lucide-react'
import type { Screen } from '../environment/screen.ts'
import { words } from '../words/frame.tsx'

export const groups = ['work', 'oversight', 'knowledge', 'connections', 'system'] as const
export type Group = (typeof groups)[number]

export type LoadScreen = () => Promise<{ readonly screen: Screen }>

export interface Destination {
  /** Everything below it belongs to the screen too; `useRoute` reads it. */
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
    title: words.destinations.today,
    group: 'work',
    key: 't',
    icon: Sun,
    load: () => import('../screens/today/index.tsx'),
  },
  {
    path: '/chat',
    title: words.destinations.chat,
    group: 'work',
    key: 'c',
    icon: MessageSquareText,
    load: () => import('../screens/chat/index.tsx'),
  },
  {
    path: '/goals',
    title: words.destinations.goals,
    group: 'work',
    key: 'g',
    icon: Target,
    load: () => import('../screens/goals/index.tsx'),
  },
  {
    path: '/automations',
    title: words.destinations.automations,
    group: 'work',
    key: 'u',
    icon: CalendarClock,
    load: () => import('../screens/automations/index.tsx'),
  },
  {
    path: '/agents',
    title: words.destinations.agents,
    group: 'work',
    key: 'e',
    icon: Bot,
    load: () => import('../screens/agents/index.tsx'),
  },
  {
    path: '/approvals',
    title: words.destinations.approvals,
    group: 'oversight',
    key: 'a',
    icon: Inbox,
    load: () => import('../screens/approvals/index.tsx'),
  },
  {
    path: '/activity',
    title: words.destinations.activity,
    group: 'oversight',
    key: 'v',
    icon: Activity,
    load: () => import('../screens/activity/index.tsx'),
  },
  {
    path: '/ledger',
    title: words.destinations.ledger,
    group: 'oversight',
    key: 'l',
    icon: BookOpenText,
    load: () => import('../screens/ledger/index.tsx'),
  },
  {
    path: '/policy',
    title: words.destinations.policy,
    group: 'oversight',
    key: 'p',
    icon: Scale,
    load: () => import('../screens/policy/index.tsx'),
  },
  {
    path: '/costs',
    title: words.destinations.costs,
    group: 'oversight',
    key: '$',
    icon: CircleDollarSign,
    load: () => import('../screens/costs/index.tsx'),
  },
  {
    path: '/library',
    title: words.destinations.library,
    group: 'knowledge',
    key: 'b',
    icon: Library,
    load: () => import('../screens/library/index.tsx'),
  },
  {
    path: '/files',
    title: words.destinations.files,
    group: 'knowledge',
    key: 'f',
    icon: Folder,
    load: () => import('../screens/files/index.tsx'),
  },
  {
    path: '/memory',
    title: words.destinations.memory,
    group: 'knowledge',
    key: 'm',
    icon: Brain,
    load: () => import('../screens/memory/index.tsx'),
  },
  {
    path: '/tools',
    title: words.destinations.tools,
    group: 'connections',
    key: 'x',
    icon: Wrench,
    load: () => import('../screens/tools/index.tsx'),
  },
  {
    path: '/channels',
    title: words.destinations.channels,
    group: 'connections',
    key: 'n',
    icon: MessagesSquare,
    load: () => import('../screens/channels/index.tsx'),
  },
  {
    path: '/extensions',
    title: words.destinations.extensions,
    group: 'connections',
    key: 'i',
    icon: Puzzle,
    load: () => import('../screens/extensions/index.tsx'),
  },
  {
    path: '/devices',
    title: words.destinations.devices,
    group: 'connections',
    key: 'd',
    icon: MonitorSmartphone,
    load: () => import('../screens/devices/index.tsx'),
  },
  {
    path: '/models',
    title: words.destinations.models,
    group: 'system',
    key: 'o',
    icon: Cpu,
    load: () => import('../screens/models/index.tsx'),
  },
  {
    path: '/health',
    title: words.destinations.health,
    group: 'system',
    key: 'h',
    icon: HeartPulse,
    load: () => import('../screens/health/index.tsx'),
  },
]

/** Behind the avatar, not on the rail. */
export const settings = {
  path: '/settings',
  title: words.settings,
  load: () => import('../screens/settings/index.tsx'),
}

/** A page of its own, without the rail. */
export const setup = { path: '/setup', title: words.setup, load: () => import('../screens/setup/index.tsx') }

/** The ones on the bar of a phone; the rest are behind More. */
export const thumbPaths: readonly string[] = ['/', '/chat', '/approvals', '/activity']

export function destinationOf(pathname: string): Destination | undefined {
  return destinations.find(({ path }) => (path === '/' ? pathname === '/' : isWithin(pathname, path)))
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`)
}
