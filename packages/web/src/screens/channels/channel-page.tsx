/** One channel: how it stands, who may talk there, what the person may do there, and what was sent. */
import { type ChannelKindView, type ChannelView, channelHookPath, settingText } from '@countersign/contract'
import { ArrowLeft, Pause, Play, Send } from 'lucide-react'
import { useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { useChange } from '../../environment/queries.ts'
import {
  Button,
  Facts,
  FormDialog,
  Link,
  Menu,
  type MenuItem,
  Mono,
  Page,
  Safe,
  Section,
  Sheet,
  StaleNote,
  Time,
  useCopyCommand,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import { Asking } from './asking.tsx'
import { useChannelActs } from './channel-acts.ts'
import { LastAt } from './channel-card.tsx'
import { Choices } from './channel-choices.tsx'
import { ChannelForm } from './channel-form.tsx'
import { StateChip } from './channel-state.tsx'
import { DeliveryLog, HeldAnswers } from './deliveries.tsx'
import { usePeers } from './peers.ts'
import { People } from './people.tsx'

interface ChannelPageProps {
  readonly channel: ChannelView
  readonly kind: ChannelKindView | undefined
  readonly backTo: string
  readonly online: boolean
  readonly onGone: () => void
}

export function ChannelPage({ channel, kind, backTo, online, onGone }: ChannelPageProps) {
  const [opened, setOpened] = useState<'change' | 'remove' | null>(null)
  const close = () => setOpened(null)
  const copyCommand = useCopyCommand()
  const items: readonly MenuItem[] = [
    ...(kind ? [{ label: words.settings.change, disabled: !online, run: () => setOpened('change') }] : []),
    { label: words.remove, disabled: !online, run: () => setOpened('remove') },
    copyCommand(`countersign channel show ${channel.name}`),
  ]
  return (
    <Page
      title={channel.name}
      note={<Safe text={channel.title} />}
      actions={<Actions channel={channel} online={online} items={items} />}
    >
      <Link to={backTo} className="target -mt-2 mb-2 inline-flex items-center gap-1.5 text-small">
        <ArrowLeft size={14} aria-hidden className="rtl:rotate-180" />
        {words.all}
      </Link>
      <StaleNote at={null} className="mb-3" />
      <div className="grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_20rem] 2xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0">
          <PeopleSection channel={channel} kind={kind} online={online} />
          <DeliveryLog channel={channel.name} />
        </div>
        {/* On a phone how it stands comes first, and what is seldom changed last. */}
        <div className="min-w-0 max-lg:contents">
          <Standing channel={channel} hook={kind?.web === true} />
          <Choices channel={channel} kind={kind} online={online} />
        </div>
      </div>
      {opened === 'change' && kind ? (
        <ChannelForm kinds={[kind]} channel={channel} taken={[]} onClose={close} />
      ) : null}
      {opened === 'remove' ? <RemoveChannel name={channel.name} onClose={close} onGone={onGone} /> : null}
    </Page>
  )
}

function Actions({
  channel,
  online,
  items,
}: {
  channel: ChannelView
  online: boolean
  items: readonly MenuItem[]
}) {
  const { paused } = channel.choices
  const acts = useChannelActs(channel)
  useKeys(words.title, [
    { keys: 't', label: words.test.do, run: () => (online && !paused ? acts.test() : undefined) },
    {
      keys: 'p',
      label: paused ? words.resume : words.pause,
      run: () => (online ? acts.togglePause() : undefined),
    },
  ])
  return (
    <>
      <Button icon={Send} keys="t" busy={acts.isTesting} disabled={!online || paused} onClick={acts.test}>
        {words.test.do}
      </Button>
      <Button
        icon={paused ? Play : Pause}
        keys="p"
        busy={acts.isBusy}
        disabled={!online}
        onClick={acts.togglePause}
      >
        {paused ? words.resume : words.pause}
      </Button>
      <Menu label={words.more} items={items} />
    </>
  )
}

function Standing({ channel, hook }: { channel: ChannelView; hook: boolean }) {
  const { name: own, state, since, problem, account, lastInAt, lastOutAt, waiting, settings } = channel
  return (
    <Sheet className="max-lg:order-first max-lg:mb-6">
      <p className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <StateChip state={state} /> {words.since(<Time at={since} />)}
      </p>
      {problem === null ? null : (
        <p className="mt-1.5 font-medium break-words text-bad">
          <Safe text={problem} />
        </p>
      )}
      <Facts
        className="mt-2"
        rows={[
          [words.account, account === null ? null : <Safe key="account" text={account.name} />],
          [words.hook, hook ? <Mono key="hook" text={channelHookPath(own)} className="break-all" /> : null],
          [words.lastIn, <LastAt key="in" at={lastInAt} />],
          [words.lastOut, <LastAt key="out" at={lastOutAt} />],
          [words.onTheirWay, waiting === 0 ? null : words.messages(waiting)],
          ...Object.entries(settings).map(
            ([name, value]) =>
              [
                name,
                settingText(value) === '' ? null : (
                  <Safe key={name} text={settingText(value).replaceAll('\n', ', ')} className="break-words" />
                ),
              ] as const,
          ),
        ]}
      />
    </Sheet>
  )
}

function PeopleSection({
  channel,
  kind,
  online,
}: {
  channel: ChannelView
  kind: ChannelKindView | undefined
  online: boolean
}) {
  const { known, asking } = usePeers(channel.name)
  return (
    <>
      <Asking peers={asking} online={online} />
      <HeldAnswers channel={channel.name} online={online} />
      <Section title={words.people.title} level={2} className="mt-0">
        {known.length === 0 ? (
          <p className="max-w-prose text-ink-2">
            {kind?.direction === 'out' ? words.people.noneOut : words.people.none}
          </p>
        ) : (
          <People peers={known} online={online} />
        )}
      </Section>
    </>
  )
}

function RemoveChannel({ name, onClose, onGone }: { name: string; onClose: () => void; onGone: () => void }) {
  const notify = useNotify()
  const remove = useChange((client) => client.removeChannel(name), [['channels'], ['peers'], ['secrets']])
  return (
    <FormDialog
      title={words.removing.title(name)}
      description={words.removing.about}
      tone="danger"
      submit={words.remove}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await remove.mutateAsync()
        notify({ text: words.removing.done(name, ledger) })
        onGone()
      }}
    />
  )
}
