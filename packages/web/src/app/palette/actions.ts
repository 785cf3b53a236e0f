/** Owns what the palette can do: what a screen opens when asked, and what the frame does itself. */
import {
  Bot,
  Brain,
  CalendarClock,
  CircleCheck,
  CircleDollarSign,
  Contrast,
  Cpu,
  Download,
  Keyboard,
  KeyRound,
  Languages,
  type LucideIcon,
  Mail,
  MessageSquarePlus,
  MonitorSmartphone,
  Newspaper,
  Pause,
  Play,
  Puzzle,
  Scale,
  ShieldCheck,
  StickyNote,
  Target,
  User,
  Wrench,
} from 'lucide-react'
import { useGo } from '../../environment/route.ts'
import { useLive, usePreferences, useServices } from '../../environment/services.tsx'
import { words } from '../../words/frame.tsx'
import { frameKeys } from '../key-table.ts'
import type { Overlay } from '../overlay.ts'
import { usePause } from '../pause-button.tsx'
import type { PaletteEntry } from './entry.ts'
import { useUpdateSummary } from './update-summary.ts'

/** Each leads to the screen that does it, with its dialog open. */
export const screenActions: readonly {
  readonly id: keyof typeof words.palette.does
  readonly icon: LucideIcon
  readonly to: string
}[] = [
  { id: 'newChat', icon: MessageSquarePlus, to: '/chat/new' },
  { id: 'addGoal', icon: Target, to: '/goals?do=add' },
  { id: 'addAutomation', icon: CalendarClock, to: '/automations?do=add' },
  { id: 'addAgent', icon: Bot, to: '/agents?do=add' },
  { id: 'addNote', icon: StickyNote, to: '/library/notes?do=add' },
  { id: 'addTask', icon: CircleCheck, to: '/library/tasks?do=add' },
  { id: 'addMemory', icon: Brain, to: '/memory?do=add' },
  { id: 'addProvider', icon: Cpu, to: '/models?do=add' },
  { id: 'chooseModel', icon: Cpu, to: '/models/routes' },
  { id: 'addMail', icon: Mail, to: '/settings/accounts?do=add-mail' },
  { id: 'addCalendar', icon: CalendarClock, to: '/settings/accounts?do=add-calendar' },
  { id: 'addChannel', icon: MessageSquarePlus, to: '/channels?do=add' },
  { id: 'addExtension', icon: Puzzle, to: '/extensions?do=add' },
  { id: 'addSecret', icon: KeyRound, to: '/settings/secrets?do=add' },
  { id: 'setLimit', icon: CircleDollarSign, to: '/costs?do=add' },
  { id: 'pairDevice', icon: MonitorSmartphone, to: '/devices?do=add' },
  { id: 'chooseLevel', icon: Scale, to: '/policy/in-force' },
  { id: 'editRules', icon: Scale, to: '/policy/edit' },
  { id: 'switchTools', icon: Wrench, to: '/tools' },
  { id: 'verifyLedger', icon: ShieldCheck, to: '/ledger?do=verify' },
  { id: 'export', icon: Download, to: '/settings/data' },
  { id: 'changeName', icon: User, to: '/settings/you' },
  { id: 'language', icon: Languages, to: '/settings/language' },
]

export function useActions(onShow: (overlay: Overlay) => void): readonly PaletteEntry[] {
  const go = useGo()
  const { preferences } = useServices()
  const { theme } = usePreferences()
  const isPaused = useLive(({ state }) => state.paused !== null)
  const { pause, resume } = usePause()
  return [
    ...screenActions.map(({ id, icon, to }): PaletteEntry => {
      const { label, also } = words.palette.does[id]
      return { id, group: 'actions', label, also, icon, run: () => go(to) }
    }),
    {
      id: 'updateSummary',
      group: 'actions',
      ...words.palette.updateSummary,
      icon: Newspaper,
      run: useUpdateSummary(),
    },
    isPaused
      ? { id: 'resume', group: 'actions', label: words.palette.resume, icon: Play, run: resume }
      : { id: 'pause', group: 'actions', ...frameKeys.pause, icon: Pause, run: pause },
    { id: 'help', group: 'actions', ...frameKeys.help, icon: Keyboard, run: () => onShow('help') },
    {
      id: 'theme',
      group: 'actions',
      label: theme === 'dark' ? words.palette.light : words.palette.dark,
      icon: Contrast,
      run: () => preferences.set({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
  ]
}
