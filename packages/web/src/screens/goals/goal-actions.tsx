/** What can be done with a goal as a whole: talk, pause, end, limit, delete. */
import { type GoalView, openGoalStates } from '@countersign/contract'
import {
  Check,
  MessageSquareText,
  Pause,
  Pencil,
  Play,
  Plus,
  RotateCcw,
  Scale,
  Trash2,
  X,
} from 'lucide-react'
import { useState } from 'react'
import { useSessions } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import {
  type Acting,
  Button,
  ButtonLink,
  FormDialog,
  Menu,
  type MenuItem,
  shellWord,
  useAct,
  useCopyCommand,
} from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/goals.tsx'
import { AddGoalDialog, EditGoalDialog } from './goal-form.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { TalkDialog } from './talk-dialog.tsx'

export type GoalWindow = 'edit' | 'limits' | 'talk' | 'delete' | 'sub' | null

export function GoalActions({
  goal,
  window,
  onWindow,
}: {
  goal: GoalView
  window: GoalWindow
  onWindow: (window: GoalWindow) => void
}) {
  const acting = useAct([['goals']])
  const [talkedNow, setTalkedNow] = useState(false)
  const sessions = useSessions()
  const hasTalk = talkedNow || sessions.data?.some(({ id }) => id === goal.session) === true
  const isOpen = openGoalStates.includes(goal.status)
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <Button icon={MessageSquareText} onClick={() => onWindow('talk')}>
        {words.actions.talk}
      </Button>
      {hasTalk ? <ButtonLink to={`/chat/${goal.session}`}>{words.actions.openTalk}</ButtonLink> : null}
      {isOpen ? (
        <StandingButtons goal={goal} acting={acting} />
      ) : (
        <ReopenButton goal={goal} acting={acting} />
      )}
      <MoreMenu goal={goal} isOpen={isOpen} acting={acting} onWindow={onWindow} />
      <GoalWindows
        goal={goal}
        window={window}
        onClose={() => onWindow(null)}
        onTalk={() => setTalkedNow(true)}
      />
    </div>
  )
}

interface ActionProps {
  readonly goal: GoalView
  readonly acting: Acting
}

function StandingButtons({ goal, acting: { isBusy, act } }: ActionProps) {
  const { id, held } = goal
  return (
    <>
      {held ? (
        <Button
          icon={Play}
          busy={isBusy}
          onClick={() => void act((client) => client.resumeGoal(id), words.said.resumed)}
        >
          {words.actions.resume}
        </Button>
      ) : (
        <Button
          icon={Pause}
          busy={isBusy}
          onClick={() =>
            void act(
              (client) => client.pauseGoal(id),
              words.said.paused(1),
              (client) => client.resumeGoal(id),
            )
          }
        >
          {words.actions.pause}
        </Button>
      )}
      <Button
        icon={Check}
        busy={isBusy}
        onClick={() => void act((client) => client.finishGoal(id), words.said.done, reopens(goal))}
      >
        {words.actions.done}
      </Button>
    </>
  )
}

function ReopenButton({ goal, acting: { isBusy, act } }: ActionProps) {
  return (
    <Button icon={RotateCcw} busy={isBusy} onClick={() => void act(reopens(goal), words.said.reopened)}>
      {words.actions.reopen}
    </Button>
  )
}

function MoreMenu({
  goal,
  isOpen,
  acting: { act },
  onWindow,
}: ActionProps & { isOpen: boolean; onWindow: (window: GoalWindow) => void }) {
  const command = useCopyCommand()
  const drop: MenuItem = {
    label: words.actions.drop,
    icon: X,
    run: () =>
      void act(
        (client) => client.setGoal(goal.id, { status: 'abandoned' }),
        words.said.dropped,
        reopens(goal),
      ),
  }
  return (
    <Menu
      label={common.more}
      items={[
        { label: words.actions.edit, icon: Pencil, run: () => onWindow('edit') },
        { label: words.actions.limits, icon: Scale, run: () => onWindow('limits') },
        { label: words.actions.addSub, icon: Plus, run: () => onWindow('sub') },
        ...(isOpen ? [drop] : []),
        { label: words.actions.delete, icon: Trash2, run: () => onWindow('delete') },
        command(`countersign goal show ${shellWord(goal.id)}`),
      ]}
    />
  )
}

function GoalWindows({
  goal,
  window,
  onClose,
  onTalk,
}: {
  goal: GoalView
  window: GoalWindow
  onClose: () => void
  onTalk: () => void
}) {
  switch (window) {
    case 'edit':
      return <EditGoalDialog goal={goal} onClose={onClose} />
    case 'limits':
      return <LimitsDialog goal={goal} onClose={onClose} />
    case 'sub':
      return <AddGoalDialog parent={goal.id} onClose={onClose} />
    case 'talk':
      return <TalkDialog goal={goal} onClose={onClose} onTalk={onTalk} />
    case 'delete':
      return <DeleteDialog goal={goal} onClose={onClose} />
    case null:
      return null
  }
}

function DeleteDialog({ goal, onClose }: { goal: GoalView; onClose: () => void }) {
  const route = useRoute()
  const { perform } = useAct([
    ['goals', 'board'],
    ['goals', 'open'],
  ])
  const remove = () =>
    perform(async (client) => {
      await client.removeGoal(goal.id)
      route.go(route.base, { replace: true })
    }, words.said.deleted(goal.title))
  return (
    <FormDialog
      size="small"
      tone="danger"
      title={words.dropping.title(goal.title)}
      description={`${words.dropping.description} ${common.cannotBeUndone}`}
      submit={words.dropping.submit}
      onSubmit={remove}
      onClose={onClose}
    />
  )
}

const reopens =
  ({ id }: GoalView): Parameters<Acting['act']>[0] =>
  (client) =>
    client.setGoal(id, { status: 'active' })
