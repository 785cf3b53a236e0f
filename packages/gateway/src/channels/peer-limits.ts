/**
 * Owns what may be done and spent for people who write in chats, and for programs: within their own limits, and for guests only
 * what needs nothing of the operator's. It stands before policy, which may refuse or ask all the same. Whoever is no longer let in gets nothing.
 */
import { programChannel } from '@countersign/contract'
import type { CallMiddleware, RecordTransaction } from '@countersign/kernel'
import { programPeer } from '../programs/program-rows.ts'
import { pairedPeer } from './peers.ts'

/** What answers without looking at anything that the operator keeps. */
const openGroups: readonly string[] = [
  'core',
  'textUtils',
  'dateTime',
  'conversion',
  'generation',
  'extraction',
  'validation',
  'listOps',
  'mathStats',
  'translation',
  'webFetch',
  'weather',
]

/** Whoever asked for it; undefined where they are not let in any more. */
async function whoever(tx: Pick<RecordTransaction, 'db'>, id: string) {
  const [channel = '', ...rest] = id.split('/')
  const name = rest.join('/')
  const peer = channel === programChannel ? await programPeer(tx, name) : await pairedPeer(tx, channel, name)
  return peer === 'blocked' ? undefined : peer
}

/** What somebody may spend in a day: looked at before each call of a model that is made for them. */
export async function dailyUsdOf(tx: Pick<RecordTransaction, 'db'>, person: string): Promise<number> {
  return (await whoever(tx, person))?.limits.dailyUsd ?? 0
}

export function peerLimits(): CallMiddleware {
  return {
    name: 'peers',
    async before(tx, { requester, tool, tier }) {
      if (requester.kind !== 'peer' && requester.via === undefined) return undefined
      const peer = await whoever(tx, requester.id)
      if (peer === undefined) return 'Whoever asked for this is no longer let in.'
      const { limits, role } = peer
      // The operator's own account there; what it began ends with it.
      if (requester.kind === 'operator')
        return role === 'operator'
          ? undefined
          : 'The account that asked for this is no longer the operator’s.'
      if (tier > limits.tier) return `Whoever asks may ask for nothing above T${limits.tier}.`
      const isListed = limits.tools?.includes(tool.name)
      if (limits.tools !== null && !isListed) return 'Whoever asks may not have this tool used.'
      if (role === 'guest' && !isListed && !openGroups.includes(tool.group))
        return 'This looks at what the operator keeps, and a guest asks.'
      return undefined
    },
  }
}
