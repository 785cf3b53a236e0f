/** How another device comes in: where it goes, what it does there, and what it needs for that. */
import { useEffect, useState } from 'react'
import { useStatus } from '../../data/queries.ts'
import { Choice, Command, CopyButton, Dialog, Loaded, Mono, TextField } from '../../kit/index.ts'
import { addressOf, localAddress } from './address.ts'

type Where = 'here' | 'elsewhere'

export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const status = useStatus()
  const isNamed = window.location.protocol === 'https:'
  const [where, setWhere] = useState<Where>(isNamed ? 'elsewhere' : 'here')
  const [typed, setTyped] = useState(isNamed ? window.location.origin : '')
  const named = addressOf(typed)
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="Add a device"
      description="It makes a key of its own, shows six words, and is let in when you find the same words here."
    >
      <div className="space-y-4">
        <Choice
          label="Where is it?"
          value={where}
          options={[
            { value: 'here', label: 'Another browser on this computer' },
            { value: 'elsewhere', label: 'A phone or another computer' },
          ]}
          onChange={setWhere}
        />
        {where === 'here' ? (
          <Loaded query={status}>
            {({ url }) => (
              <Steps url={localAddress(url)}>
                <p className="mt-3 text-small text-ink-2">
                  Or have the host open and let it in at once, without words:
                </p>
                <Command text="countersign open" className="mt-1" />
              </Steps>
            )}
          </Loaded>
        ) : (
          <>
            <TextField
              label="The https name of this gateway"
              placeholder="https://home.example.com"
              inputMode="url"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              hint="Browsers keep keys only for https or for localhost. Tailscale Serve or your own proxy gives this computer a name with https; an address such as 192.168.1.20 can look at nothing and decide nothing."
              {...(typed.trim() === '' || named.kind === 'address' ? {} : { problem: named.problem })}
            />
            {typed.trim() !== '' && named.kind === 'address' ? (
              <Steps url={named.url}>
                <p className="mt-3 text-small text-ink-2">The same in a terminal:</p>
                <Command
                  text={`countersign device qr --address ${named.url.slice(0, -1)}`}
                  className="mt-1"
                />
              </Steps>
            ) : null}
          </>
        )}
      </div>
    </Dialog>
  )
}

function Steps({ url, children }: { url: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-5 sm:flex-row">
      <QrPicture text={url} />
      <div className="min-w-0 flex-1">
        <ol className="list-decimal space-y-1.5 ps-5">
          <li>
            Open <Mono text={url} className="break-all" /> there. <CopyButton text={url} size="small" />
          </li>
          <li>Choose “Show six words”.</li>
          <li>Come back to this screen: the request stands at its top. Compare, and let it in.</li>
        </ol>
        {children}
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
          alt={`QR code of ${text}`}
          className="size-full [image-rendering:pixelated]"
        />
      ) : null}
    </div>
  )
}
