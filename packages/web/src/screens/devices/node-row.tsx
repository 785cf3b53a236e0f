/** One node: whether it is there, what it runs now, what it can do, and what it says against the ledger. */
import type { NodeView } from '@countersign/contract'
import { OctagonAlert, Server } from 'lucide-react'
import { Chip, CopyCommand, classes, Facts, Menu, Mono, Safe, Time } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { Fingerprint } from './fingerprint.tsx'
import { NodeCapabilities } from './node-capabilities.tsx'

export type NodeAct = 'rename' | 'revoke'

export interface NodeRowProps {
  readonly node: NodeView
  /** Undefined until it is known. */
  readonly gatewayVersion: string | undefined
  readonly online: boolean
  readonly mayLimit: boolean
  readonly onAct: (act: NodeAct) => void
}

export function NodeRow({ node, gatewayVersion, online, mayLimit, onAct }: NodeRowProps) {
  const { name, busy, complaint } = node
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex items-start gap-3">
        <Server size={16} strokeWidth={1.75} aria-hidden className="mt-1 shrink-0 text-ink-2" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="min-w-0 text-base font-medium break-words text-ink">
              <Safe text={name} />
            </h3>
            {busy === 0 ? null : <Chip tone="act">{words.nodes.busy(busy)}</Chip>}
          </div>
          <Standing node={node} gatewayVersion={gatewayVersion} />
        </div>
        <Menu
          label={<span aria-label={words.row.changeNamed(name)}>{words.row.change}</span>}
          variant="plain"
          items={[
            { label: words.row.rename, run: () => onAct('rename') },
            { label: words.row.revoke, disabled: !online, run: () => onAct('revoke') },
          ]}
        />
      </div>
      <div className="ms-7 max-sm:ms-0">
        {complaint === null ? null : <Complaint text={complaint} />}
        <NodeCapabilities node={node} disabled={!online || !mayLimit} />
        <details className="mt-1 -mb-1.5">
          <summary className="target text-small text-ink-3">{words.row.idAndKey}</summary>
          <NodeFacts node={node} />
        </details>
      </div>
    </li>
  )
}

function Standing({ node, gatewayVersion }: Pick<NodeRowProps, 'node' | 'gatewayVersion'>) {
  const { online, seenAt, platform, addedAt, advert } = node
  const isOther = advert !== null && gatewayVersion !== undefined && advert.version !== gatewayVersion
  return (
    <>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-small text-ink-3">
        <span className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            className={classes('dot size-2 rounded-full', online ? 'bg-ok' : 'border border-edge')}
          />
          {online ? words.presence.connected : seenAt === null ? words.presence.never : words.presence.seen}{' '}
          {online ? null : <Time at={seenAt} />}
        </span>
        {platform === '' ? null : (
          <>
            <Dot />
            <Safe text={platform} />
          </>
        )}
        {advert === null ? null : (
          <>
            <Dot />
            <Safe text={advert.version} />
          </>
        )}
        <Dot />
        <span>{words.row.added(<Time at={addedAt} />)}</span>
      </p>
      {isOther ? <p className="text-small text-t2">{words.nodes.otherVersion(gatewayVersion)}</p> : null}
      {advert?.sandbox.kind === 'unavailable' ? (
        <p className="text-small text-t2">
          {words.nodes.noSandbox} <Safe text={advert.sandbox.reason} /> <Safe text={advert.sandbox.fix} />
        </p>
      ) : null}
    </>
  )
}

/** It saw another ledger than the one it was shown: somebody may have changed what happened. */
function Complaint({ text }: { text: string }) {
  return (
    <div
      role="alert"
      className="mt-2 flex items-start gap-3 rounded-2 border border-bad bg-bad-soft px-3 py-2.5"
    >
      <OctagonAlert size={18} strokeWidth={1.75} aria-hidden className="mt-px shrink-0 text-bad" />
      <div className="min-w-0">
        <p className="font-medium text-bad">{words.nodes.complains}</p>
        <p className="mt-0.5 break-words">
          <Safe text={text} />
        </p>
        <p className="mt-1 text-small text-ink-2">{words.nodes.complaintNext}</p>
        <CopyCommand text="countersign ledger witnesses" />
      </div>
    </div>
  )
}

function NodeFacts({ node: { id, key, advert } }: { node: NodeView }) {
  return (
    <Facts
      className="mt-1 text-small"
      rows={[
        [words.row.id, <Mono key="id" text={id} className="break-all" />],
        [words.row.fingerprint, <Fingerprint key="fingerprint" of={key} />],
        [words.nodes.folder, advert === null ? null : <Mono key="folder" text={advert.folder} />],
        [
          words.nodes.sandbox,
          advert?.sandbox.kind === 'available' ? <Safe key="sandbox" text={advert.sandbox.name} /> : null,
        ],
        [
          words.nodes.witnessed,
          advert === null || advert.witnessed === 0 ? null : words.nodes.entries(advert.witnessed),
        ],
        [words.row.command, <CopyCommand key="command" text={`countersign node show ${id}`} />],
      ]}
    />
  )
}

function Dot() {
  return (
    <span aria-hidden className="max-sm:hidden">
      ·
    </span>
  )
}
