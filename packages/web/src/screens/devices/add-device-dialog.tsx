/** How another device comes in: where it goes, what it does there, and what it needs for that. */

import { useEffect, useState } from 'react'
import { useStatus } from '../../environment/queries.ts'
import { Choice, CopyButton, Dialog, Loaded, Mono, TextField } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { addressOf, localAddress } from './address.ts'

const exampleAddress = 'https://home.example.com'

type DeviceKind = 'here' | 'elsewhere'

export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const status = useStatus()
  const isNamed = window.location.protocol === 'https:'
  const [where, setWhere] = useState<DeviceKind>(isNamed ? 'elsewhere' : 'here')
  const [typed, setTyped] = useState(isNamed ? window.location.origin : '')
  const named = addressOf(typed)
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
          <Loaded query={status}>{({ url }) => <Steps url={localAddress(url)} isReachable={false} />}</Loaded>
        ) : (
          <>
            <TextField
              label={words.add.name}
              placeholder={exampleAddress}
              inputMode="url"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              hint={words.add.hint}
              {...(typed.trim() === '' || named.kind === 'address' ? {} : { problem: named.problem })}
            />
            {typed.trim() !== '' && named.kind === 'address' ? <Steps url={named.url} isReachable /> : null}
          </>
        )}
      </div>
    </Dialog>
  )
}

/** A picture for a camera only where the device of that camera can reach the address. */
function Steps({ url, isReachable }: { url: string; isReachable: boolean }) {
  return (
    <div className="flex flex-col gap-5 sm:flex-row">
      {isReachable ? <QrPicture text={url} /> : null}
      <div className="min-w-0 flex-1">
        <ol className="list-decimal space-y-1.5 ps-5">
          <li>
            {words.add.step1(
              <Mono text={url} className="break-all" />,
              <CopyButton text={url} size="small" />,
            )}
          </li>
          <li>{words.add.step2}</li>
          <li>{words.add.step3}</li>
        </ol>
      </div>
    </div>
  )
}

/** Dark on white in both themes: that is what cameras read. */
function QrPicture({ text }: { text: string }) {
  const [picture, setPicture] = useState<{ readonly of: string; readonly source: string } | null>(null)
  useEffect(() => {
    let asked = true
    void import('qrcode')
      .then(({ default: qrcode }) =>
        qrcode.toDataURL(text, { errorCorrectionLevel: 'M', margin: 2, scale: 6 }),
      )
      .then((source) => {
        if (asked) setPicture({ of: text, source })
      })
    return () => {
      asked = false
    }
  }, [text])
  return (
    <div className="size-44 shrink-0 overflow-hidden rounded-2 border border-line bg-sheet">
      {picture?.of === text ? (
        <img
          src={picture.source}
          alt={words.add.qr(text)}
          className="size-full [image-rendering:pixelated]"
        />
      ) : null}
    </div>
  )
}
