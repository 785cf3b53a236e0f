/** Owns which work is the machinery's own: nobody asked for it, so that lists leave it out unless all is wanted. Pure. */
import type { RunView } from './api.ts'
import { readerAgent } from './reader.ts'

const internalAgents: ReadonlySet<string> = new Set(['feed', readerAgent])

export function isInternalRun({ agent }: Pick<RunView, 'agent'>): boolean {
  return internalAgents.has(agent)
}
