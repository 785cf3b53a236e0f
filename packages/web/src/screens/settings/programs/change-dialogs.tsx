/** What takes something from a program, once it is confirmed: its token, or everything. */
import type { ProgramToken } from '@countersign/contract'
import { useChange } from '../../../environment/queries.ts'
import { FormDialog, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/programs.tsx'

export function RotateProgram({
  name,
  onClose,
  onToken,
}: {
  name: string
  onClose: () => void
  onToken: (made: ProgramToken) => void
}) {
  const rotate = useChange((client) => client.rotateProgram(name), [['programs']])
  return (
    <FormDialog
      title={words.rotateTitle(name)}
      description={words.rotateAbout}
      tone="danger"
      submit={words.rotateIt}
      onClose={onClose}
      onSubmit={async () => onToken(await rotate.mutateAsync())}
    />
  )
}

export function RemoveProgram({ name, onClose }: { name: string; onClose: () => void }) {
  const notify = useNotify()
  const remove = useChange((client) => client.revokeProgram(name), [['programs']])
  return (
    <FormDialog
      title={words.removeTitle(name)}
      description={words.removeAbout}
      tone="danger"
      submit={words.removeIt}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await remove.mutateAsync()
        notify({ text: words.removed(name, ledger) })
      }}
    />
  )
}
