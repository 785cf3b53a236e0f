/** Owns the things that only the gateway knows of: asked for when something is typed, and not before. */
import {
  Bot,
  Brain,
  CalendarClock,
  Cpu,
  File,
  Folder,
  type LucideIcon,
  MessageSquareText,
  StickyNote,
  Target,
  Waypoints,
  Wrench,
} from 'lucide-react'
import { useDeferredValue } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import type { PaletteEntry, PaletteGroup } from './entry.ts'
import { foldersToo } from './folders.ts'

/** Fewer letters would find nearly everything. */
const fewest = 2

interface Thing {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly also?: string
  readonly to: string
  readonly icon?: LucideIcon
}

export function useThings(typed: string): readonly PaletteEntry[] {
  const go = useGo()
  const query = useDeferredValue(typed.trim())
  const rows: Things = [...useLists(query.length >= fewest), ...useFound(query)]
  return rows.flatMap(([group, icon, things]) =>
    things.map(({ to, ...thing }): PaletteEntry => ({ icon, ...thing, group, run: () => go(to) })),
  )
}

type Things = readonly [PaletteGroup, LucideIcon, readonly Thing[]][]

/** Lists that are short enough to be fetched whole, once each time that the palette is opened. */
function useLists(enabled: boolean): Things {
  const once = { enabled, freshMs: 0 }
  const goals = useGateway(['goals', 'names'], (client) => client.goals(), once)
  const plans = useGateway(['plans', 'names'], (client) => client.plans(), once)
  const schedules = useGateway(['schedules'], (client) => client.schedules(), once)
  const agents = useGateway(['agents', 'names'], (client) => client.agents(), once)
  const tools = useGateway(['tools'], (client) => client.tools(), once)
  const models = useGateway(['models', 'names'], (client) => client.models(), once)
  const files = useGateway(['files', 'names'], foldersToo, once)
  return [
    ['goals', Target, (goals.data ?? []).map(({ id, title }) => ({ id, label: title, to: `/goals/${id}` }))],
    [
      'plans',
      Waypoints,
      (plans.data?.plans ?? []).map(({ id, name }) => ({ id, label: name, to: `/goals/plans/${id}` })),
    ],
    [
      'automations',
      CalendarClock,
      (schedules.data ?? []).map(({ id, name }) => ({ id, label: name, to: `/automations/${id}` })),
    ],
    ['agents', Bot, (agents.data ?? []).map(({ id, name }) => ({ id, label: name, to: `/agents/${id}` }))],
    [
      'tools',
      Wrench,
      (tools.data ?? []).map(({ name }) => ({ id: name, label: name, to: `/tools/${name}` })),
    ],
    [
      'models',
      Cpu,
      (models.data ?? []).map(({ ref, title }) => ({
        id: ref,
        label: title,
        detail: ref,
        to: '/models/routes',
      })),
    ],
    [
      'files',
      File,
      (files.data ?? []).map(({ path, to, isFolder }) => ({
        id: path,
        label: path,
        to,
        ...(isFolder ? { icon: Folder } : {}),
      })),
    ],
  ]
}

/** What there may be thousands of: the gateway looks, by meaning too, so the words need not be in what it finds. */
function useFound(query: string): Things {
  const each = { enabled: query.length >= fewest, freshMs: 60_000 }
  const memories = useGateway(
    ['memories', 'palette', query],
    (client) => client.searchMemories({ q: query, limit: '8' }),
    each,
  )
  const notes = useGateway(
    ['library', 'notes', 'palette', query],
    (client) => client.notes({ search: query, limit: 8 }),
    each,
  )
  const said = useGateway(
    ['search', 'conversations', 'palette', query],
    (client) => client.search({ q: query, in: 'conversations', limit: '8' }),
    each,
  )
  return [
    [
      'conversations',
      MessageSquareText,
      (said.data?.hits ?? []).map(({ source, title, text }) => ({
        id: source,
        label: text.slice(0, 120),
        detail: title,
        also: query,
        to: `/chat/${source.split('/')[0]}`,
      })),
    ],
    [
      'memories',
      Brain,
      (memories.data ?? []).map(({ memory: { id, content } }) => ({
        id,
        label: content.slice(0, 120),
        also: query,
        to: `/memory/${id}`,
      })),
    ],
    [
      'notes',
      StickyNote,
      (notes.data?.items ?? []).map(({ id, data }) => ({
        id,
        label: data.title,
        also: query,
        to: `/library/notes/${id}`,
      })),
    ],
  ]
}
