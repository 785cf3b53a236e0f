/** What the person may do in a channel: decide, be told, and in which groups it listens. */
import type { ChannelChoices, ChannelKindView, ChannelView } from '@countersign/contract'
import { listIn } from '@countersign/contract'
import { useState } from 'react'
import {
  Button,
  FormDialog,
  Mono,
  Section,
  Sheet,
  TextArea,
  TierChip,
  Toggle,
  useAct,
  useForm,
} from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'

export function Choices({
  channel,
  kind,
  online,
}: {
  channel: ChannelView
  kind: ChannelKindView | undefined
  online: boolean
}) {
  const { name, choices } = channel
  const { act, isBusy } = useAct([['channels']])
  const choose = (change: Partial<ChannelChoices>) =>
    void act((client) => client.chooseChannel(name, change), words.decides.saved(name))
  const canBind = kind?.bindable === true && kind.direction === 'both'
  return (
    <Section title={words.decides.title} level={2} className="max-lg:order-last">
      <Sheet className="space-y-4">
        {canBind ? (
          <>
            <Toggle
              label={words.decides.approvals}
              hint={
                kind.decides === 0
                  ? words.decides.denyOnly
                  : words.decides.upTo(<TierChip tier={kind.decides} />)
              }
              checked={choices.approvals}
              disabled={!online || isBusy}
              onChange={(approvals) => choose({ approvals })}
            />
            <Toggle
              label={words.decides.notices}
              hint={words.decides.noticesHint}
              checked={choices.notices}
              disabled={!online || isBusy}
              onChange={(notices) => choose({ notices })}
            />
          </>
        ) : (
          <p className="text-ink-2">{words.decides.nothing}</p>
        )}
        {kind?.groups === true ? <Groups channel={channel} online={online} /> : null}
      </Sheet>
    </Section>
  )
}

function Groups({ channel, online }: { channel: ChannelView; online: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { groups } = channel.choices
  return (
    <div>
      <h3 className="text-base font-medium">{words.decides.groups}</h3>
      {groups.length === 0 ? (
        <p className="text-small text-ink-2">{words.decides.noGroups}</p>
      ) : (
        <>
          <ul className="mt-1 space-y-0.5">
            {groups.map((group) => (
              <li key={group}>
                <Mono text={group} className="break-all" />
              </li>
            ))}
          </ul>
          <p className="mt-1 text-small text-ink-2">{words.decides.groupsAbout}</p>
        </>
      )}
      <Button size="small" className="mt-2" disabled={!online} onClick={() => setOpen(true)}>
        {words.decides.changeGroups}
      </Button>
      {isOpen ? <GroupsDialog channel={channel} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}

function GroupsDialog({ channel, onClose }: { channel: ChannelView; onClose: () => void }) {
  const { name, choices } = channel
  const form = useForm({ ids: choices.groups.join('\n') })
  const { perform } = useAct([['channels']])
  return (
    <FormDialog
      title={words.decides.changeGroups}
      description={words.decides.groupsAbout}
      form={form}
      submit={words.decides.save}
      onClose={onClose}
      onSubmit={() =>
        perform(
          (client) => client.chooseChannel(name, { groups: listIn(form.values.ids) }),
          words.decides.saved(name),
        )
      }
    >
      <TextArea
        label={words.decides.groupIds}
        hint={words.decides.groupIdsHint}
        spellCheck={false}
        {...form.field('ids')}
      />
    </FormDialog>
  )
}
