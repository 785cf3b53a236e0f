/** Shows the token of a program, this once. */
import { Button, CopyButton, Dialog, Mono } from '../../../kit/index.ts'
import { words } from '../../../words/programs.tsx'

export function TokenDialog({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.token(name)}
      description={words.tokenAbout}
      actions={<Button onClick={onClose}>{words.kept}</Button>}
    >
      <div className="flex items-center gap-2">
        <Mono text={token} className="break-all" />
        <CopyButton text={token} label={words.copy} />
      </div>
    </Dialog>
  )
}
