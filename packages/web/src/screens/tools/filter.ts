/** Owns which tools are shown. Pure. */
import type { ToolView } from '@countersign/contract'

export interface ToolFilter {
  readonly words: string
  readonly state: 'all' | 'on' | 'off' | 'used' | 'unused'
  readonly tier: number | null
  readonly group: string | null
}

export const states = ['all', 'on', 'off', 'used', 'unused'] as const

export function shownTools(tools: readonly ToolView[], filter: ToolFilter): readonly ToolView[] {
  const wanted = filter.words.trim().toLowerCase()
  return tools.filter(
    (tool) =>
      (wanted === '' || `${tool.name} ${tool.description} ${tool.group}`.toLowerCase().includes(wanted)) &&
      (filter.tier === null || tool.floor === filter.tier) &&
      (filter.group === null || tool.group === filter.group) &&
      inState(tool, filter.state),
  )
}

function inState({ enabled, use }: ToolView, state: ToolFilter['state']): boolean {
  switch (state) {
    case 'all':
      return true
    case 'on':
      return enabled
    case 'off':
      return !enabled
    case 'used':
      return use.calls > 0
    case 'unused':
      return use.calls === 0
  }
}
