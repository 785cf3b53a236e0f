/** What this browser is to the gateway, and how it is forgotten. */

import { type FormEvent, useState } from 'react'
import { useChange, useGateway } from '../../environment/queries.ts'
import { useServices } from '../../environment/services.tsx'
import { Button, Dialog, Facts, Link, Mono, Sheet, TextField, useNotify } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'

export function ThisBrowser() {
  const { thisDevice } = useServices()
  const [leaving, setLeaving] = useState(false)
  return (
    <section aria-labelledby="this-browser">
      <h2 id="this-browser" className="mb-3">
        {words.browser.title}
      </h2>
      <Sheet className="space-y-5">
        <Name />
        <Facts
          rows={[
            [words.browser.device, <Mono key="device" text={thisDevice.device} />],
            [words.browser.gateway, <Mono key="gateway" text={thisDevice.gateway} />],
            [words.browser.key, words.browser.keyAbout],
            [
              words.browser.others,
              <Link key="others" to="/devices">
                {words.browser.allDevices}
              </Link>,
            ],
          ]}
        />
        <div>
          <Button variant="danger" onClick={() => setLeaving(true)}>
            {words.browser.signOut}
          </Button>
        </div>
      </Sheet>
      <Dialog
        open={leaving}
        onClose={() => setLeaving(false)}
        size="small"
        title={words.browser.signOutTitle}
        description={words.browser.signOutAbout}
        actions={
          <>
            <Button onClick={() => setLeaving(false)}>{words.browser.stay}</Button>
            <Button variant="danger" onClick={() => void thisDevice.forget()}>
              {words.browser.leave}
            </Button>
          </>
        }
      >
        <p className="mb-2 text-ink-2">{words.browser.stillListed}</p>
        <Link to="/devices">{words.browser.allDevices}</Link>
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
      onSuccess: ({ ledger }) => notify({ text: words.browser.renamed(name.trim(), ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  }
  return (
    <form onSubmit={save} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={words.browser.name}
          hint={words.browser.nameHint}
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
        {words.browser.rename}
      </Button>
    </form>
  )
}
