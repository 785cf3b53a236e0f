/** One device: what it is, how far it may go, whether it is there, and what can be done about it. */

import type { DeviceView } from '@countersign/contract'
import { Monitor, Smartphone, Terminal } from 'lucide-react'
import { Chip, CopyCommand, classes, Facts, Menu, Mono, Safe, Time } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { Fingerprint } from './fingerprint.tsx'
import { type DeviceAuthority, isLastSealer } from './proof.ts'
import { isPhone, presenceOf } from './reach.ts'

export type DeviceAct = 'rename' | 'reach' | 'revoke'

export function DeviceRow({
  device,
  authority,
  online,
  mayRename,
  onAct,
}: {
  device: DeviceView
  authority: DeviceAuthority
  online: boolean
  mayRename: boolean
  onAct: (act: DeviceAct) => void
}) {
  const presence = presenceOf(device)
  const Icon = device.root ? Terminal : isPhone(device.platform) ? Smartphone : Monitor
  const isLast = isLastSealer(authority, device)
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex items-start gap-3">
        <Icon size={16} strokeWidth={1.75} aria-hidden className="mt-1 shrink-0 text-ink-2" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-base font-medium text-ink">
              <Safe text={device.name} />
            </h3>
            {device.thisOne ? <Chip tone="act">{words.row.thisBrowser}</Chip> : null}
            {device.root ? <Chip>{words.row.host}</Chip> : null}
          </div>
          <p className="text-ink-2">{words.reach[device.reach].does}</p>
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
            <span>{words.row.added(<Time at={device.addedAt} />)}</span>
          </p>
        </div>
        <Menu
          label={<span aria-label={words.row.changeNamed(device.name)}>{words.row.change}</span>}
          variant="plain"
          items={[
            { label: words.row.rename, disabled: !online || !mayRename, run: () => onAct('rename') },
            {
              label: device.reach === 3 ? words.row.limit : words.row.changeReach,
              disabled: !online || isLast,
              ...(isLast ? { detail: words.row.lastLimit } : {}),
              run: () => onAct('reach'),
            },
            {
              label: words.row.revoke,
              disabled: !online || isLast,
              ...(isLast ? { detail: words.row.lastRevoke } : {}),
              run: () => onAct('revoke'),
            },
          ]}
        />
      </div>
      <details className="ms-7 mt-1 -mb-1.5">
        <summary className="target text-small text-ink-3">{words.row.idAndKey}</summary>
        <Facts
          className="mt-1 text-small"
          rows={[
            [words.row.id, <Mono key="id" text={device.id} className="break-all" />],
            [words.row.fingerprint, <Fingerprint key="fingerprint" of={device.key} />],
            [words.row.command, <CopyCommand key="command" text={`countersign device show ${device.id}`} />],
          ]}
        />
      </details>
    </li>
  )
}
