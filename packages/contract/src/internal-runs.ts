/** Owns which work is the machinery's own: nobody asked for it, so that lists leave it out unless all is wanted. Pure. */
import type { RunView } from './api.ts'

const internalAgents: ReadonlySet<string> = new Set(['feed'])

export function isInternalRun({ agent }: Pick<RunView, 'agent'>): boolean {
  return internalAgents.has(agent)
}
