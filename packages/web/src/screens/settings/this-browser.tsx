/** What this browser is to the gateway, and how it is forgotten. */
import { type FormEvent, useState } from 'react'
import { useServices } from '../../app/services.tsx'
import { useChange, useGateway } from '../../data/queries.ts'
import { Button, Command, Dialog, Facts, Link, Mono, Sheet, TextField, useNotify } from '../../kit/index.ts'

export function ThisBrowser() {
  const { thisDevice } = useServices()
  const [leaving, setLeaving] = useState(false)
  return (
    <section aria-labelledby="this-browser">
      <h2 id="this-browser" className="mb-3">
        This browser
      </h2>
      <Sheet className="space-y-5">
        <Name />
        <Facts
          rows={[
            ['Device', <Mono key="device" text={thisDevice.device} />],
            ['Gateway', <Mono key="gateway" text={thisDevice.gateway} />],
            ['Key', 'Made in this browser and kept by it. It cannot be read out, and there is no cookie.'],
            [
              'Others',
              <Link key="others" to="/devices">
                All devices and passkeys
              </Link>,
            ],
          ]}
        />
        <div>
          <Button look="danger" onClick={() => setLeaving(true)}>
            Sign out of this browser…
          </Button>
        </div>
      </Sheet>
      <Dialog
        open={leaving}
        onClose={() => setLeaving(false)}
        size="small"
        title="Sign out of this browser?"
        description="Its key and what it remembers are deleted here. It must be let in again before it can look or decide."
        actions={
          <>
            <Button onClick={() => setLeaving(false)}>Stay</Button>
            <Button look="danger" onClick={() => void thisDevice.forget()}>
              Sign out
            </Button>
          </>
        }
      >
        <p className="mb-2 text-ink-2">
          The gateway still lists the key until it is revoked. If this computer is not yours any more, revoke
          it instead:
        </p>
        <Command text={`countersign device revoke ${thisDevice.device}`} />
      </Dialog>
    </section>
  )
}

function Name() {
  const { thisDevice } = useServices()
  const notify = useNotify()
  const devices = useGateway(['devices'], (client) => client.devices())
  const known = devices.data?.devices.find(({ id }) => id === thisDevice.device)?.name
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? known ?? thisDevice.name
  const rename = useChange(
    (client, next: string) => client.renameDevice(thisDevice.device, next),
    [['devices']],
  )
  const save = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate(name.trim(), {
      onSuccess: ({ ledger }) => notify({ text: `It is called “${name.trim()}” now. Ledger #${ledger}.` }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  }
  return (
    <form onSubmit={save} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="Name"
          hint="Others see it in receipts: “approved on …”."
          maxLength={60}
          value={name}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button
        type="submit"
        busy={rename.isPending}
        disabled={name.trim() === '' || name === known}
        className="mt-[23px]"
      >
        Rename
      </Button>
    </form>
  )
}
