/** Looks how channels stand: connected, with nothing put aside and nothing of which nobody knows whether it arrived. */
import type { ChannelView } from '../../api-channels.ts'
import { type DoctorFinding, ok, warning } from './finding.ts'

type Standing = Pick<ChannelView, 'name' | 'state' | 'problem' | 'aside' | 'unknown'>

export function channelsStand(channels: readonly Standing[]): DoctorFinding {
  const troubles = channels.flatMap(troublesOf)
  if (troubles.length === 0) return ok('channels', `${channels.length} channels`)
  return warning(
    'channels',
    troubles.map(({ what }) => what).join('; '),
    [...new Set(troubles.map(({ next }) => next))].join(' '),
  )
}

function troublesOf({ name, state, problem, aside, unknown }: Standing) {
  const log = (of: string) => `See \`countersign channel log ${name} --state ${of}\`.`
  const why = problem === null ? '' : ` (${problem})`
  return [
    ...(state === 'disconnected'
      ? [{ what: `${name} is not connected${why}`, next: `See \`countersign channel show ${name}\`.` }]
      : []),
    ...(state === 'rejected'
      ? [
          {
            what: `${name} is rejected by its platform${why}`,
            next: `Put it right with \`countersign channel set ${name}\`.`,
          },
        ]
      : []),
    ...(aside > 0 ? [{ what: `${name}: ${aside} messages were put aside`, next: log('aside') }] : []),
    ...(unknown > 0
      ? [{ what: `${name}: nobody knows whether ${unknown} messages arrived`, next: log('unknown') }]
      : []),
  ]
}
