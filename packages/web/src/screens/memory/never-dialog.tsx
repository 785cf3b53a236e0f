/** Words that no memory may hold: the list, one more, one less. */
import { Trash2 } from 'lucide-react'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, FormDialog, Loaded, Safe, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/memory.tsx'

export function NeverDialog({ onClose }: { onClose: () => void }) {
  const notify = useNotify()
  const form = useForm({ text: '' }, ({ text }) => ({
    text: text.trim() === '' ? words.never.needsWords : undefined,
  }))
  const list = useGateway(['memories', 'never'], (client) => client.neverRemembered())
  const add = useChange((client, text: string) => client.neverRemember(text), [['memories']])
  const remove = useChange((client, id: string) => client.rememberAgain(id), [['memories']])
  return (
    <FormDialog
      title={words.never.title}
      description={words.never.description}
      submit={words.never.add}
      form={form}
      onClose={onClose}
      onSubmit={async () => {
        const { matching } = await add.mutateAsync(form.values.text.trim())
        notify({ text: words.never.added(matching.length) })
      }}
    >
      <TextField label={words.never.words} {...form.field('text')} />
      <Loaded
        query={list}
        isEmpty={(all) => all.length === 0}
        empty={<p className="mt-3 text-ink-3">{words.never.none}</p>}
      >
        {(all) => (
          <ul className="mt-3 space-y-1">
            {all.map((each) => (
              <li key={each.id} className="flex items-center gap-2">
                <span className="min-w-0 flex-1">
                  <Safe text={each.words} />
                </span>
                <Button
                  variant="quiet"
                  size="small"
                  icon={Trash2}
                  busy={remove.isPending}
                  aria-label={words.never.remove(each.words)}
                  onClick={() => remove.mutate(each.id)}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </FormDialog>
  )
}
