/** Removes a secret with every value that it had, once that is confirmed. */
import { useChange } from '../../../environment/queries.ts'
import { FormDialog, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/secrets.ts'

export function RemoveSecret({ name, onClose }: { name: string; onClose: () => void }) {
  const notify = useNotify()
  const remove = useChange((client) => client.removeSecret(name), [['secrets']])
  return (
    <FormDialog
      title={words.removeTitle(name)}
      description={words.removeAbout}
      tone="danger"
      submit={words.remove}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await remove.mutateAsync()
        notify({ text: words.removed(name, ledger) })
      }}
    />
  )
}
