/** Who may talk in a channel, how far each is believed, and what can be done about it. */
import type { PeerView } from '@countersign/contract'
import { useState } from 'react'
import {
  Chip,
  Menu,
  Mono,
  Safe,
  Sheet,
  shellWord,
  TierChip,
  Time,
  useAct,
  useCopyCommand,
  useGrowing,
} from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { limitWords } from './peer-limits.ts'

export function People({ peers, online }: { peers: readonly PeerView[]; online: boolean }) {
  const [limited, setLimited] = useState<PeerView | null>(null)
  const { shown, more } = useGrowing(inOrder(peers))
  return (
    <Sheet padded={false}>
      <ul>
        {shown.map((peer) => (
          <PersonRow key={peer.peer} peer={peer} online={online} onLimit={() => setLimited(peer)} />
        ))}
      </ul>
      {more}
      {limited === null ? null : <LimitsDialog peer={limited} onClose={() => setLimited(null)} />}
    </Sheet>
  )
}

const ranks = { operator: 0, trusted: 1, guest: 2 } as const

function inOrder(peers: readonly PeerView[]): readonly PeerView[] {
  const rank = ({ state, role }: PeerView) => (state === 'blocked' || role === null ? 3 : ranks[role])
  return peers.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

function PersonRow({ peer, online, onLimit }: { peer: PeerView; online: boolean; onLimit: () => void }) {
  const { channel, peer: id, name, state, role, limits, lastInAt } = peer
  const { act } = useAct([['peers'], ['channels']])
  const copyCommand = useCopyCommand()
  const isBlocked = state === 'blocked' || role === null
  const change = (kind: 'block' | 'remove', said: string) => () =>
    void act((client) => client.changePeer({ channel, peer: id, change: { kind } }), said)
  return (
    <li className="flex items-start gap-3 border-t border-line px-4 py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium break-words">
            <Safe text={name} />
          </span>
          {isBlocked ? (
            <Chip tone="bad">{words.people.blocked}</Chip>
          ) : (
            <Chip tone={role === 'operator' ? 'act' : 'plain'}>{words.people.roles[role]}</Chip>
          )}
          {isBlocked || role === 'operator' ? null : <TierChip tier={limits.tier} />}
        </div>
        {isBlocked || role === 'operator' ? null : (
          <p className="text-small break-words text-ink-2">
            <Safe text={limitWords(limits).join(' · ')} />
          </p>
        )}
        <p className="text-small text-ink-3">
          <Mono text={id} className="break-all" /> ·{' '}
          {lastInAt === null ? words.people.neverWrote : words.people.lastWrote(<Time at={lastInAt} />)}
        </p>
      </div>
      <Menu
        label={<span aria-label={words.people.menu(name)}>{words.change}</span>}
        items={[
          ...(isBlocked || role === 'operator'
            ? []
            : [{ label: words.people.limits, disabled: !online, run: onLimit }]),
          ...(isBlocked
            ? []
            : [
                {
                  label: words.people.block,
                  disabled: !online,
                  run: change('block', words.people.blockedDone(name)),
                },
              ]),
          {
            label: isBlocked ? words.people.forget : words.people.remove,
            disabled: !online,
            run: change('remove', words.people.removedDone(name)),
          },
          copyCommand(`countersign peer ${isBlocked ? 'remove' : 'block'} ${shellWord(`${channel}/${id}`)}`),
        ]}
      />
    </li>
  )
}
