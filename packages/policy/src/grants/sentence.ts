/** Owns how a grant is said to a person: what it allows, where, how often, until when, and where it stops. */
import type { GrantCover } from './cover.ts'

export interface GrantTerms {
  readonly where: 'run' | 'session' | 'agent' | 'goal' | 'everywhere'
  /** Null for as often as it comes. */
  readonly uses: number | null
  readonly minutes: number
}

const places = {
  run: 'in this run',
  session: 'in this session',
  agent: 'for this agent',
  goal: 'for this goal',
  everywhere: 'anywhere',
}

export function grantSentence(tool: string, covers: readonly GrantCover[], terms: GrantTerms): string {
  const often = terms.uses === null ? 'as often as needed' : `up to ${terms.uses} times`
  return `${tool}: ${covers.map(coverWords).join(', ')} ${places[terms.where]}, ${often}, ${spanWords(terms.minutes)}${limit}`
}

/** What `isGrantable` refuses whatever was granted, so that no sentence promises more than is held. */
const limit = '; a task that has read untrusted content asks again'

export function coverWords(cover: GrantCover): string {
  switch (cover.type) {
    case 'call':
      return 'this exact call'
    case 'file':
      return `${cover.op} ${bare(cover.path)}`
    case 'url':
      return `look at any address of ${cover.scheme}://${cover.host}:${cover.port} with ${cover.method}`
    case 'folder':
      return `${cover.op} in ${bare(cover.path) || 'the whole workspace'}`
    case 'host':
      return `look at any address of ${cover.scheme}://${cover.host}:${cover.port}`
    case 'tool':
      return 'whatever it touches in the workspace or looks at on the network'
  }
}

/** What lies outside of the workspace says so. */
function bare(path: string): string {
  const name = path.slice(path.indexOf(':') + 1)
  return path.startsWith('host:') ? `${name} on this computer` : name
}

function spanWords(minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 1440) return `for ${minutes / 1440} days`
  return minutes === 1440 ? 'for a day' : `for ${minutes} minutes`
}
