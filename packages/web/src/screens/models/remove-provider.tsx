/** Removes a provider with its key, once that is confirmed. */
import type { ProviderView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { FormDialog, useNotify } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { touched } from './model-queries.ts'

export function RemoveProvider({
  provider: { name, key },
  onClose,
}: {
  provider: ProviderView
  onClose: () => void
}) {
  const notify = useNotify()
  const remove = useChange((client) => client.removeProvider(name), touched)
  return (
    <FormDialog
      title={words.removeTitle(name)}
      description={key === 'vault' ? words.removeWithKey : words.removeAbout}
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
