/** What a node can do: each capability, what stands in its way there, and the switch that limits it here. */
import type { NodeCapabilityState, NodeView } from '@countersign/contract'
import { Chip, Safe, Toggle, type Tone, useAct } from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/devices.tsx'
import { type CapabilityStanding, deniedOf, offAfter, standingOf, usableOf } from './node-state.ts'

const tones: Readonly<Record<CapabilityStanding, Tone>> = {
  usable: 'ok',
  limited: 'waiting',
  denied: 'bad',
  unused: 'plain',
}

export function NodeCapabilities({ node, disabled }: { node: NodeView; disabled: boolean }) {
  const { advert } = node
  if (advert === null) return <p className="mt-1 text-small text-ink-2">{words.nodes.saidNothing}</p>
  const denied = deniedOf(node)
  return (
    <details className="mt-1">
      <summary className="target text-small text-ink-2">
        {words.nodes.usable(usableOf(node).length, advert.capabilities.length)}
        {denied.length === 0 ? null : (
          <span className="text-bad">
            {' · '}
            {words.nodes.denied(listWords(denied.map((each) => words.nodes.capabilities[each])))}
          </span>
        )}
      </summary>
      <p className="mt-1 mb-2 max-w-prose text-small text-ink-2">{words.nodes.limitAbout}</p>
      <ul className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2 xl:grid-cols-3">
        {advert.capabilities.map((each) => (
          <Capability key={each.capability} node={node} state={each} disabled={disabled} />
        ))}
      </ul>
    </details>
  )
}

function Capability({
  node,
  state: found,
  disabled,
}: {
  node: NodeView
  state: NodeCapabilityState
  disabled: boolean
}) {
  const { act, isBusy } = useAct([['nodes']])
  const { capability, state, reason, fix } = found
  const name = words.nodes.capabilities[capability]
  const standing = standingOf(found, node.off)
  const limit = (on: boolean) =>
    void act(
      (client) => client.limitNode(node.id, { off: [...offAfter(node.off, capability, on)] }),
      (on ? words.nodes.allowed : words.nodes.limited)(name, node.name),
    )
  return (
    <li>
      <Toggle
        label={name}
        checked={!node.off.includes(capability)}
        disabled={disabled || isBusy}
        onChange={limit}
        hint={
          <span className="flex flex-wrap items-baseline gap-x-2">
            <Chip tone={tones[standing]}>
              {standing === 'limited' ? words.nodes.offHere : words.nodes.states[state]}
            </Chip>
            {standing === 'limited' || state === 'ready' ? null : (
              <span className="min-w-0 break-words">
                <Safe text={reason} /> <Safe text={fix} />
              </span>
            )}
          </span>
        }
      />
    </li>
  )
}
