/** Owns the section of the ledger's witnesses: who saw how much when, and what to do about an alarm. */
import { alarmClearingText, type LedgerWitnesses, sealText } from '@countersign/contract'
import { nothingWitnessed } from '@countersign/contract/client'
import { useState } from 'react'
import { sha256Hex } from '../../data/digest.ts'
import { useWitnessMemory } from '../../environment/ledger-witness.ts'
import { useChange, useGateway } from '../../environment/queries.ts'
import { type Services, useServices } from '../../environment/services.tsx'
import { Button, Dialog, FormError, Loaded, Safe, Section, Sheet, Time, useNotify } from '../../kit/index.ts'
import { words } from '../../words/witness.tsx'

export function Witnesses() {
  const listed = useGateway(['witnesses', 'all'], (client) => client.ledgerWitnesses(), { everyMs: 60_000 })
  return (
    <Section level={2} title={words.title}>
      <Sheet>
        <Loaded query={listed}>
          {(data) => (
            <>
              <Alarms listed={data} />
              <p className="mb-2 text-ink-2">{data.witnesses.length === 0 ? words.none : words.about}</p>
              {data.witnesses.length === 0 ? null : <List listed={data} />}
            </>
          )}
        </Loaded>
      </Sheet>
    </Section>
  )
}

function List({ listed: { witnesses, signed } }: { listed: LedgerWitnesses }) {
  return (
    <ul className="divide-y divide-line">
      {witnesses.map(({ id, kind, name, size, at }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
          <span className="min-w-0 font-medium">
            <Safe text={name} />
          </span>
          <span className="text-ink-2">{words.kinds[kind]}</span>
          <span className="text-ink-2">
            {words.columns.saw} {words.entries(size)}
          </span>
          <span className="text-ink-2">
            {size >= signed ? words.upToDate : `${words.columns.behind}: ${words.entries(signed - size)}`}
          </span>
          <span className="ms-auto text-ink-2">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Alarms({ listed: { alarms } }: { listed: LedgerWitnesses }) {
  const services = useServices()
  const notify = useNotify()
  const trouble = useWitnessMemory()?.trouble ?? null
  const [asked, setAsked] = useState(false)
  const accept = useChange(
    async (client) =>
      acceptLedger(
        services,
        client,
        alarms.map(({ id }) => id),
      ),
    [['witnesses'], ['status']],
  )
  if (alarms.length === 0 && trouble === null) return null
  const onAccept = () =>
    accept.mutate(undefined, {
      onSuccess: () => {
        setAsked(false)
        notify({ text: words.accepted })
      },
    })
  return (
    <div role="alert" className="mb-3 rounded-1 bg-bad-soft px-3 py-2 text-bad">
      {alarms.map(({ id, witness, size, at }) => (
        <p key={id}>
          {words.alarm(<Safe text={witness} />, size)} <Time at={at} />
        </p>
      ))}
      {trouble === null ? null : <p>{words.banner.here(<Safe text={trouble.reason} />)}</p>}
      <p>{words.means}</p>
      <Button className="mt-2" onClick={() => setAsked(true)}>
        {words.accept}
      </Button>
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        title={words.accepting.title}
        description={words.accepting.about}
        actions={
          <>
            <Button onClick={() => setAsked(false)}>{words.accepting.no}</Button>
            <Button variant="danger" busy={accept.isPending} onClick={onAccept}>
              {words.accepting.yes}
            </Button>
          </>
        }
      >
        {accept.error && <FormError error={accept.error} />}
      </Dialog>
    </div>
  )
}

/** Sealed here over the alarms that were shown; then this browser begins to remember anew. */
async function acceptLedger(
  { thisDevice, witness, now }: Pick<Services, 'thisDevice' | 'witness' | 'now'>,
  client: Services['client'],
  alarms: string[],
): Promise<void> {
  if (alarms.length > 0) {
    const digest = await sha256Hex(alarmClearingText(thisDevice.gateway, alarms))
    const decidedAt = now().toISOString()
    const signature = await thisDevice.sign(sealText(digest, thisDevice.device, decidedAt))
    const seal = { by: 'device' as const, device: thisDevice.device as never, decidedAt, signature }
    await client.clearLedgerAlarms({ alarms, seal })
  }
  await witness?.put(nothingWitnessed)
}
