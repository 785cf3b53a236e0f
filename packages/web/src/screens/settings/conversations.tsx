/** When a conversation ends by itself, and how many earlier ones a prompt tells of. Both hold from the next start on. */

import {
  type ConversationSettings,
  type ConversationSettingsView,
  ConversationSettings as Shape,
} from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Loaded, Sheet, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'

export function Conversations() {
  const known = useGateway(['conversation-settings'], (client) => client.conversationSettings())
  return (
    <Loaded query={known}>
      {(view) => <ConversationForm key={JSON.stringify(view.next)} known={view} />}
    </Loaded>
  )
}

function ConversationForm({ known: { now, next } }: { known: ConversationSettingsView }) {
  const said = words.conversations
  const notify = useNotify()
  const form = useForm(
    { silence: String(next.silenceMinutes), summaries: String(next.summaries) },
    ({ silence, summaries }) => ({
      silence: Shape.shape.silenceMinutes.safeParse(figure(silence)).success ? undefined : said.silenceWrong,
      summaries: Shape.shape.summaries.safeParse(figure(summaries)).success ? undefined : said.summariesWrong,
    }),
  )
  const save = useChange(
    (client, wanted: ConversationSettings) => client.setConversationSettings(wanted),
    [['conversation-settings']],
  )
  const submit = () => {
    if (!form.check()) return
    const { silence, summaries } = form.values
    save.mutate(
      { silenceMinutes: figure(silence), summaries: figure(summaries) },
      {
        onSuccess: ({ ledger }) => notify({ text: said.saved(ledger) }),
        onError: (error) => notify({ text: error.message, tone: 'bad' }),
      },
    )
  }
  const isSame = now.silenceMinutes === next.silenceMinutes && now.summaries === next.summaries
  return (
    <Sheet>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={said.silence}
          hint={said.silenceHint}
          inputMode="numeric"
          {...form.field('silence')}
        />
        <TextField
          label={said.summaries}
          hint={said.summariesHint}
          inputMode="numeric"
          {...form.field('summaries')}
        />
        {isSame ? null : <p role="status">{said.untilStart(now.silenceMinutes, now.summaries)}</p>}
        <Button type="submit" busy={save.isPending} disabled={!form.isChanged}>
          {words.you.save}
        </Button>
      </form>
    </Sheet>
  )
}

/** Nothing is no number, and so is not taken for none. */
function figure(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}
