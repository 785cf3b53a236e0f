/** What can be done with an automation. */
import type { ScheduleView } from '@countersign/contract'
import { CircleHelp, Mail, Pause, Pencil, Play, Trash2, Zap } from 'lucide-react'
import { useState } from 'react'
import { useSessions } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import {
  Button,
  ButtonLink,
  FormDialog,
  Menu,
  shellWord,
  useAct,
  useCopyCommand,
  type Work,
} from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { words as common } from '../../words/common.ts'
import { EditDialog } from './edit-dialog.tsx'
import { WhyDialog } from './why-dialog.tsx'

type Window = 'edit' | 'why' | 'delete' | null

export function AutomationActions({ schedule }: { schedule: ScheduleView }) {
  const { id, name, status, session } = schedule
  const { isBusy, act } = useAct([['schedules']])
  const sessions = useSessions()
  const [window, setWindow] = useState<Window>(null)
  const close = () => setWindow(null)
  const isOn = status === 'active'
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <Button
        icon={Zap}
        busy={isBusy}
        onClick={() => void act((client) => client.runSchedule(id), words.said.ran(name))}
      >
        {words.actions.run}
      </Button>
      {schedule.look !== null && isOn ? (
        <Button
          icon={Mail}
          busy={isBusy}
          onClick={() => void act((client) => client.lookForMail(id), words.said.looked)}
        >
          {words.actions.look}
        </Button>
      ) : null}
      <Button
        icon={isOn ? Pause : Play}
        busy={isBusy}
        onClick={() =>
          void act(
            setsTo(id, isOn ? 'paused' : 'active'),
            isOn ? words.said.paused : words.said.resumed,
            setsTo(id, status),
          )
        }
      >
        {isOn ? words.actions.pause : words.actions.resume}
      </Button>
      <Button icon={Pencil} onClick={() => setWindow('edit')}>
        {words.actions.edit}
      </Button>
      {sessions.data?.some((each) => each.id === session) === true ? (
        <ButtonLink to={`/chat/${session}`}>{words.actions.talk}</ButtonLink>
      ) : null}
      <MoreMenu schedule={schedule} onWindow={setWindow} />
      {window === 'edit' ? <EditDialog schedule={schedule} onClose={close} /> : null}
      {window === 'why' ? <WhyDialog schedule={schedule} onClose={close} /> : null}
      {window === 'delete' ? <DeleteDialog schedule={schedule} onClose={close} /> : null}
    </div>
  )
}

export const setsTo =
  (id: string, status: ScheduleView['status']): Work =>
  (client) =>
    client.changeSchedule(id, { status })

function MoreMenu({ schedule, onWindow }: { schedule: ScheduleView; onWindow: (window: Window) => void }) {
  const command = useCopyCommand()
  return (
    <Menu
      label={common.more}
      items={[
        { label: words.actions.whyNot, icon: CircleHelp, run: () => onWindow('why') },
        { label: words.actions.delete, icon: Trash2, run: () => onWindow('delete') },
        command(`countersign automation show ${shellWord(schedule.name)}`),
      ]}
    />
  )
}

function DeleteDialog({ schedule, onClose }: { schedule: ScheduleView; onClose: () => void }) {
  const route = useRoute()
  const { perform } = useAct([['schedules']])
  const remove = () =>
    perform(async (client) => {
      await client.removeSchedule(schedule.id)
      route.go(route.base, { replace: true })
    }, words.said.deleted(schedule.name))
  return (
    <FormDialog
      size="small"
      tone="danger"
      title={words.deleting.title(schedule.name)}
      description={`${words.deleting.description} ${common.cannotBeUndone}`}
      submit={words.deleting.submit}
      onSubmit={remove}
      onClose={onClose}
    />
  )
}
