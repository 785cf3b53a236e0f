/** Asks before a memory is erased, and says what goes with it. */
import { useChange, useGateway } from '../../environment/queries.ts'
import { FormDialog, Loaded, Safe, useNotify } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/memory.tsx'

export function ForgetDialog({
  id,
  content,
  onClose,
  onForgotten,
}: {
  id: string
  content: string
  onClose: () => void
  onForgotten: () => void
}) {
  const notify = useNotify()
  const preview = useGateway(['memories', 'forget', id], (client) => client.forgetMemories([id], true))
  const forget = useChange((client) => client.forgetMemories([id]), [['memories']])
  return (
    <FormDialog
      title={words.forget.title}
      description={common.cannotBeUndone}
      submit={words.forget.forget}
      tone="danger"
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await forget.mutateAsync()
        notify({ text: words.forget.done(ledger) })
        onForgotten()
      }}
    >
      <blockquote className="border-s-2 border-line-strong ps-3">
        <Safe text={content} />
      </blockquote>
      <Loaded query={preview}>
        {({ earlier, traces }) => <p className="mt-3 text-ink-2">{words.forget.goes(earlier, traces)}</p>}
      </Loaded>
      <p className="mt-2 text-small text-ink-3">{words.forget.stays}</p>
    </FormDialog>
  )
}
