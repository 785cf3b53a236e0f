/** Asks the assistant for a plan, in a conversation of its own. */
import { useRoute } from '../../../environment/route.ts'
import { FormDialog, TextArea, useAct, useForm } from '../../../kit/index.ts'
import { words } from '../../../words/plans.tsx'

export function AskPlanDialog({ onClose }: { onClose: () => void }) {
  const said = words.asking
  const route = useRoute()
  const { perform } = useAct([['sessions']])
  const form = useForm({ wish: '' }, ({ wish }) => ({
    wish: wish.trim() === '' ? said.problem : undefined,
  }))
  const ask = () =>
    perform(async (client) => {
      const text = said.message(form.values.wish.trim())
      const { session } = await client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
      route.go(`/chat/${session}`)
    })
  return (
    <FormDialog title={said.title} form={form} submit={said.submit} onSubmit={ask} onClose={onClose}>
      <TextArea label={said.label} hint={said.hint} placeholder={said.example} {...form.field('wish')} />
    </FormDialog>
  )
}
