/** How another device comes in: where it goes, what it does there, and what it needs for that. */

import { type ReactNode, useState } from 'react'
import { useStatus } from '../../environment/queries.ts'
import { Choice, CopyButton, CopyCommand, Dialog, Loaded, Mono } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { localAddress } from './address.ts'

type DeviceKind = 'here' | 'elsewhere'

export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const status = useStatus()
  const [where, setWhere] = useState<DeviceKind>('here')
  return (
    <Dialog open onClose={onClose} size="large" title={words.add.title} description={words.add.description}>
      <div className="space-y-4">
        <Choice
          label={words.add.where}
          value={where}
          options={[
            { value: 'here', label: words.add.here },
            { value: 'elsewhere', label: words.add.elsewhere },
          ]}
          onChange={setWhere}
        />
        {where === 'here' ? (
          <Loaded query={status}>{({ url }) => <HereSteps url={localAddress(url)} />}</Loaded>
        ) : (
          <>
            <Steps>
              <li>
                {words.add.phone1} <CopyCommand text="countersign open --phone" />
              </li>
              <li>{words.add.phone2}</li>
              <li>{words.add.phone3}</li>
            </Steps>
            <p className="text-small text-ink-2">{words.add.hint}</p>
          </>
        )}
      </div>
    </Dialog>
  )
}

function HereSteps({ url }: { url: string }) {
  return (
    <Steps>
      <li>
        {words.add.step1(<Mono text={url} className="break-all" />, <CopyButton text={url} size="small" />)}
      </li>
      <li>{words.add.step2}</li>
      <li>{words.add.step3}</li>
    </Steps>
  )
}

function Steps({ children }: { children: ReactNode }) {
  return <ol className="list-decimal space-y-1.5 ps-5">{children}</ol>
}
