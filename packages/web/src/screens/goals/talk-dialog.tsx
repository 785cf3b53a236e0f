/** The first words about a goal. They open its conversation. */
import type { GoalView } from '@countersign/contract'
import { useRoute } from '../../environment/route.ts'
import { Button, FormDialog, TextArea, useAct, useForm } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'

export function TalkDialog({
  goal,
  onClose,
  onTalk,
}: {
  goal: GoalView
  onClose: () => void
  onTalk: () => void
}) {
  const said = words.talking
  const route = useRoute()
  const { perform } = useAct([['sessions']])
  const form = useForm({ text: '' }, ({ text }) => ({
    text: text.trim() === '' ? said.problem : undefined,
  }))
  const send = () =>
    perform(async (client) => {
      const text = form.values.text.trim()
      const message = { key: crypto.randomUUID(), session: null, text, mode: 'auto' as const, goal: goal.id }
      const { session } = await client.send(message)
      onTalk()
      route.go(`/chat/${session}`)
    })
  return (
    <FormDialog title={said.title} form={form} submit={said.submit} onSubmit={send} onClose={onClose}>
      <TextArea label={said.message} hint={said.hint} {...form.field('text')} />
      <div className="flex flex-wrap gap-2">
        {said.starters.map((text) => (
          <Button key={text} size="small" onClick={() => form.set('text', text)}>
            {text}
          </Button>
        ))}
      </div>
    </FormDialog>
  )
}
