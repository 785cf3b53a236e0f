/** Whether agents are told a file, and its acceptance: what is shown in the window is what is accepted. */
import type { ToldFileContent, WorkspaceEntry } from '@countersign/contract'
import { BookOpenCheck, X } from 'lucide-react'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { Button, FormDialog, Loaded, Mono, Section, Sheet, Toggle, useAct, useForm } from '../../kit/index.ts'
import { words } from '../../words/files.tsx'

const said = words.told

export function ToldFile({ entry: { path } }: { entry: WorkspaceEntry }) {
  const [isOpen, setOpen] = useState(false)
  const { isBusy, act } = useAct([['files', 'told']])
  const files = useGateway(['files', 'told'], (client) => client.toldFiles())
  const file = files.data?.find((each) => each.path === path)
  return (
    <Section
      title={said.title}
      aside={
        file?.state === 'told' ? null : (
          <Button variant="quiet" size="small" icon={BookOpenCheck} onClick={() => setOpen(true)}>
            {said.look}
          </Button>
        )
      }
    >
      <Loaded query={files}>
        {() => (
          <Sheet className="flex flex-wrap items-start gap-2">
            <p className="min-w-0 flex-1 text-ink-2">{said.states[file?.state ?? 'never']}</p>
            {file === undefined ? null : (
              <Button
                size="small"
                icon={X}
                busy={isBusy}
                onClick={() => void act((client) => client.removeToldFile(path), said.removed)}
              >
                {said.remove}
              </Button>
            )}
          </Sheet>
        )}
      </Loaded>
      {isOpen ? <ShownFile path={path} onClose={() => setOpen(false)} /> : null}
    </Section>
  )
}

function ShownFile({ path, onClose }: { path: string; onClose: () => void }) {
  const content = useGateway(['files', 'told', path], (client) => client.toldFileContent(path))
  return <Loaded query={content}>{(shown) => <AcceptDialog shown={shown} onClose={onClose} />}</Loaded>
}

function AcceptDialog({ shown, onClose }: { shown: ToldFileContent; onClose: () => void }) {
  const { path, sha256, text, told } = shown
  const { perform } = useAct([['files', 'told']])
  const form = useForm({ isPublic: false }, () => ({}))
  const { isPublic } = form.values
  return (
    <FormDialog
      title={said.acceptTitle(path)}
      form={form}
      submit={said.accept}
      onSubmit={() => perform((client) => client.acceptToldFile({ path, sha256, isPublic }), said.accepted)}
      onClose={onClose}
    >
      <p className="text-ink-2">{said.note}</p>
      {told < text.trim().length ? <p className="text-ink-2">{said.cut(told)}</p> : null}
      <div className="max-h-[50dvh] overflow-y-auto">
        <Mono block text={text} />
      </div>
      <Toggle label={said.isPublic} hint={said.isPublicHint} {...form.tick('isPublic')} />
    </FormDialog>
  )
}
