/** One device: what it is, how far it may go, whether it is there, and what can be done about it. */
import type { DeviceView } from '@countersign/contract'
import { Monitor, Smartphone, Terminal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { hex } from '../../data/digest.ts'
import { Chip, classes, Facts, Menu, Mono, Safe, Time } from '../../kit/index.ts'
import { isLastSealer, type Standing } from './proof.ts'
import { isPhone, presenceOf, reachWords } from './reach.ts'

export type DeviceAct = 'rename' | 'reach' | 'revoke'

export function DeviceRow({
  device,
  standing,
  online,
  mayRename,
  onAct,
}: {
  device: DeviceView
  standing: Standing
  online: boolean
  mayRename: boolean
  onAct: (act: DeviceAct) => void
}) {
  const presence = presenceOf(device)
  const Icon = device.root ? Terminal : isPhone(device.platform) ? Smartphone : Monitor
  const isLast = isLastSealer(standing, device)
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex items-start gap-3">
        <Icon size={16} strokeWidth={1.75} aria-hidden className="mt-1 shrink-0 text-ink-2" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-base font-medium text-ink">
              <Safe text={device.name} />
            </h3>
            {device.thisOne ? <Chip tone="act">this browser</Chip> : null}
            {device.root ? <Chip>the host itself</Chip> : null}
          </div>
          <p className="text-ink-2">{upperFirst(reachWords[device.reach].does)}</p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-small text-ink-3">
            <span className="inline-flex items-center gap-1.5">
              <span
                aria-hidden
                className={classes(
                  'dot size-2 rounded-full',
                  presence.isHere ? 'bg-ok' : 'border border-edge',
                )}
              />
              {presence.words} {presence.seen === null ? null : <Time at={presence.seen} />}
            </span>
            {device.platform === '' ? null : (
              <>
                <span aria-hidden className="max-sm:hidden">
                  ·
                </span>
                <Safe text={device.platform} />
              </>
            )}
            <span aria-hidden className="max-sm:hidden">
              ·
            </span>
            <span>
              added <Time at={device.addedAt} />
            </span>
          </p>
        </div>
        <Menu
          label={<span aria-label={`Change ${device.name}`}>Change</span>}
          look="plain"
          items={[
            { label: 'Rename…', disabled: !online || !mayRename, run: () => onAct('rename') },
            {
              label: device.reach === 3 ? 'Limit…' : 'Change what it may do…',
              disabled: !online || isLast,
              ...(isLast ? { detail: 'It is the last device that seals.' } : {}),
              run: () => onAct('reach'),
            },
            {
              label: 'Revoke…',
              disabled: !online || isLast,
              ...(isLast ? { detail: 'Pair another one that seals first.' } : {}),
              run: () => onAct('revoke'),
            },
          ]}
        />
      </div>
      <details className="ms-7 mt-1 -mb-1.5">
        <summary className="target text-small text-ink-3">Id and key</summary>
        <Facts
          className="mt-1 text-small"
          rows={[
            ['Id', <Mono key="id" text={device.id} className="break-all" />],
            ['Fingerprint', <Fingerprint key="fingerprint" of={device.key} />],
            [
              'Command',
              <Mono key="command" text={`countersign device show ${device.id}`} className="break-all" />,
            ],
          ]}
        />
      </details>
    </li>
  )
}

const upperFirst = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** SHA-256 of the raw key, as `countersign device show` has it. */
function Fingerprint({ of }: { of: string }) {
  const [text, setText] = useState('…')
  useEffect(() => {
    let asked = true
    const raw = Uint8Array.from(atob(of), (character) => character.charCodeAt(0))
    void crypto.subtle.digest('SHA-256', raw).then((hash) => {
      if (asked) setText(hex(new Uint8Array(hash)))
    })
    return () => {
      asked = false
    }
  }, [of])
  return <Mono text={text} className="break-all" />
}
