/** Agents one by one, or in teams. */
import { ViewLinks } from '../../kit/index.ts'
import { words } from '../../words/agents.tsx'

const views = [
  { id: 'agents', to: '/agents', label: words.title },
  { id: 'teams', to: '/agents/teams', label: words.teams },
] as const

export function AgentTabs({ current }: { current: (typeof views)[number]['id'] }) {
  return <ViewLinks label={words.views} views={views} current={current} />
}
