/** How another device comes in: where it goes, what it does there, and what it needs for that. */

import { useState } from 'react'
import { useStatus } from '../../environment/queries.ts'
import { Choice, CopyButton, Dialog, Loaded, Mono } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { localAddress } from './address.ts'
import { ShownCommand, Steps } from './steps.tsx'

export type DeviceKind = 'here' | 'elsewhere' | 'node'

export function AddDeviceDialog({ kind, onClose }: { kind: DeviceKind; onClose: () => void }) {
  const status = useStatus()
  const [where, setWhere] = useState(kind)
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={words.add.title}
      description={where === 'node' ? words.add.nodeDescription : words.add.description}
    >
      <div className="space-y-4">
        <Choice
          label={words.add.where}
          value={where}
          options={[
            { value: 'here', label: words.add.here },
            { value: 'elsewhere', label: words.add.elsewhere },
            { value: 'node', label: words.add.node },
          ]}
          onChange={setWhere}
        />
        {where === 'here' ? (
          <Loaded query={status}>{({ url }) => <HereSteps url={localAddress(url)} />}</Loaded>
        ) : where === 'elsewhere' ? (
          <PhoneSteps />
        ) : (
          <NodeSteps />
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

function PhoneSteps() {
  return (
    <>
      <Steps>
        <li>
          {words.add.phone1} <ShownCommand text="countersign open --phone" />
        </li>
        <li>{words.add.phone2}</li>
        <li>{words.add.phone3}</li>
      </Steps>
      <p className="text-small text-ink-2">{words.add.hint}</p>
    </>
  )
}

function NodeSteps() {
  return (
    <>
      <Steps>
        <li>
          {words.add.node1} <ShownCommand text="countersign node invite" />
        </li>
        <li>{words.add.node2}</li>
        <li>
          {words.add.node3} <ShownCommand text="countersign node approve" />
        </li>
        <li>{words.add.node4}</li>
      </Steps>
      <p className="text-small text-ink-2">{words.add.nodeHint}</p>
    </>
  )
}
