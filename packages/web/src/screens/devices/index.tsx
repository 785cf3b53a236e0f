/** The Devices screen: who may speak for you, how far each may go, who asks to, and how one is let in or put out. */

import type { DeviceView, PairingRequestView } from '@countersign/contract'
import { KeyRound, Plus } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useDevices, usePairingRequests } from '../../environment/queries.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive } from '../../environment/services.tsx'
import { Button, Loaded, Page, Sheet, StaleNote, useGrowing, useNow } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { AddDeviceDialog } from './add-device-dialog.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { ReachDialog, RenameDialog, RevokeDialog } from './device-dialogs.tsx'
import { type DeviceAct, DeviceRow } from './device-row.tsx'
import { useNodeRequests } from './node-queries.ts'
import { NodeRequestCard } from './node-request-card.tsx'
import { Nodes } from './nodes.tsx'
import { Origins } from './origins.tsx'
import { PasskeyRequests } from './passkey-requests.tsx'
import { Passkeys } from './passkeys.tsx'
import { type DeviceAuthority, thisDevice } from './proof.ts'
import { PutOut } from './put-out.tsx'
import { ReachTable } from './reach-table.tsx'
import { RequestCard } from './request-card.tsx'

export const screen: Screen = { component: DevicesScreen }

type DeviceWindowState =
  | 'add device'
  | 'add node'
  | 'add passkey'
  | { readonly act: DeviceAct; readonly device: DeviceView }
  | null

function DevicesScreen() {
  const now = useNow(5_000)
  const online = useLive((live) => live.link.kind === 'live')
  const devices = useDevices()
  const requests = usePairingRequests()
  const [window, setWindow] = useState<DeviceWindowState>(null)
  const waiting = (requests.data ?? []).filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime())
  const live = devices.data?.devices.filter(({ revokedAt }) => revokedAt === null)
  const seals = devices.data !== undefined && thisDevice(devices.data)?.reach === 3
  // Without one, the part about passkeys offers the first.
  const hasPasskey = devices.data?.passkeys.some(({ revokedAt }) => revokedAt === null) ?? false
  const close = () => setWindow(null)
  useAskedFor('add', () => setWindow('add device'))
  useKeys(words.title, [{ keys: 'a', label: words.addDevice, run: () => setWindow('add device') }])
  return (
    <Page
      title={words.title}
      note={live === undefined ? undefined : words.count(live.length)}
      actions={
        <>
          {hasPasskey ? (
            <Button icon={KeyRound} disabled={!online || !seals} onClick={() => setWindow('add passkey')}>
              {words.addPasskey}
            </Button>
          ) : null}
          <Button icon={Plus} keys="a" onClick={() => setWindow('add device')}>
            {words.addDevice}
          </Button>
        </>
      }
    >
      <StaleNote at={null} className="mb-3" />
      <Loaded query={devices}>
        {(list) => {
          const authority: DeviceAuthority = { ...list, site: document.location.hostname }
          return (
            <>
              {seals ? null : <LowReach device={thisDevice(list)} />}
              {waiting.length === 0 ? null : (
                <section aria-labelledby="asking" className="mb-8 space-y-3">
                  <h2 id="asking">{words.asking(waiting.length)}</h2>
                  <Requests requests={waiting} authority={authority} online={online} mayRefuse={seals} />
                </section>
              )}
              <PasskeyRequests authority={authority} online={online} mayRefuse={seals} now={now} />
              <AskingNodes online={online} mayRefuse={seals} now={now} />
              <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem] 2xl:grid-cols-[minmax(0,1fr)_23rem]">
                <div className="min-w-0 space-y-8">
                  <section aria-labelledby="devices">
                    <h2 id="devices" className="mb-2">
                      {words.paired}
                    </h2>
                    <DeviceRows
                      devices={inOrder(list.devices)}
                      authority={authority}
                      online={online}
                      mayRename={seals}
                      onAct={(act, device) => setWindow({ act, device })}
                    />
                  </section>
                  <Nodes
                    authority={authority}
                    online={online}
                    mayLimit={seals}
                    onAdd={() => setWindow('add node')}
                  />
                  <section aria-labelledby="passkeys">
                    <h2 id="passkeys" className="mb-2">
                      {words.passkeys}
                    </h2>
                    <Passkeys
                      authority={authority}
                      online={online}
                      onAdd={seals && online ? () => setWindow('add passkey') : null}
                    />
                  </section>
                  <Origins origins={list.origins} authority={authority} online={online} />
                  <PutOut list={list} />
                </div>
                <ReachTable />
              </div>
              {window === 'add passkey' ? (
                <AddPasskeyDialog authority={authority} origins={list.origins} onClose={close} />
              ) : null}
              {window !== null && typeof window === 'object' ? (
                <DeviceWindow act={window.act} device={window.device} authority={authority} onClose={close} />
              ) : null}
            </>
          )
        }}
      </Loaded>
      {window === 'add device' || window === 'add node' ? (
        <AddDeviceDialog kind={window === 'add node' ? 'node' : 'here'} onClose={close} />
      ) : null}
    </Page>
  )
}

function Requests({
  requests,
  ...rest
}: { requests: readonly PairingRequestView[] } & Omit<ComponentProps<typeof RequestCard>, 'request'>) {
  const { shown, more } = useGrowing(requests)
  return (
    <>
      {shown.map((request) => (
        <RequestCard key={request.id} request={request} {...rest} />
      ))}
      {more}
    </>
  )
}

function AskingNodes({ now, ...rest }: { online: boolean; mayRefuse: boolean; now: Date }) {
  const requests = useNodeRequests()
  const waiting = (requests.data ?? []).filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime())
  const { shown, more } = useGrowing(waiting)
  if (waiting.length === 0) return null
  return (
    <section aria-labelledby="asking-nodes" className="mb-8 space-y-3">
      <h2 id="asking-nodes">{words.nodes.asking(waiting.length)}</h2>
      {shown.map((request) => (
        <NodeRequestCard key={request.id} request={request} {...rest} />
      ))}
      {more}
    </section>
  )
}

function DeviceRows({
  devices,
  onAct,
  ...rest
}: {
  devices: readonly DeviceView[]
  onAct: (act: DeviceAct, device: DeviceView) => void
} & Omit<ComponentProps<typeof DeviceRow>, 'device' | 'onAct'>) {
  const { shown, more } = useGrowing(devices)
  return (
    <Sheet padded={false}>
      <ul>
        {shown.map((device) => (
          <DeviceRow key={device.id} device={device} onAct={(act) => onAct(act, device)} {...rest} />
        ))}
      </ul>
      {more}
    </Sheet>
  )
}

function DeviceWindow({
  act,
  ...rest
}: {
  act: DeviceAct
  device: DeviceView
  authority: DeviceAuthority
  onClose: () => void
}) {
  if (act === 'rename') return <RenameDialog {...rest} />
  return act === 'reach' ? <ReachDialog {...rest} /> : <RevokeDialog {...rest} />
}

/** This one first, then those that are there, then the newest. */
function inOrder(devices: readonly DeviceView[]): readonly DeviceView[] {
  return devices
    .filter(({ revokedAt }) => revokedAt === null)
    .toSorted(
      (a, b) =>
        Number(b.thisOne) - Number(a.thisOne) ||
        Math.sign(b.connections) - Math.sign(a.connections) ||
        b.addedAt.localeCompare(a.addedAt),
    )
}

function LowReach({ device }: { device: DeviceView | undefined }) {
  return (
    <Sheet className="mb-6">
      <p>
        {device === undefined ? words.notListed : words.lowReach}{' '}
        <span className="text-ink-2">{words.lowReachNext}</span>
      </p>
    </Sheet>
  )
}
