/** The frame of one extension's page, whatever its kind: its state, the buttons, and how it is removed. */
import { ArrowLeft, Pause, Pin, PinOff, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import {
  Button,
  Chip,
  FormDialog,
  Link,
  Menu,
  Page,
  Safe,
  StaleNote,
  useCopyCommand,
} from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import { useExtensionActs } from './extension-acts.ts'
import { StateChip } from './extension-state.tsx'
import type { ExtensionRow } from './rows.ts'

export interface ExtensionPageProps {
  readonly row: ExtensionRow
  readonly backTo: string
  readonly online: boolean
  readonly onGone: () => void
}

export function ExtensionFrame({
  row,
  backTo,
  online,
  onGone,
  children,
}: ExtensionPageProps & { readonly children: ReactNode }) {
  const { kind, name, state, isPaused, isPinned } = row
  const [removing, setRemoving] = useState(false)
  const acts = useExtensionActs(row)
  const copyCommand = useCopyCommand()
  useKeys(words.title, [
    {
      keys: 'p',
      label: isPaused ? words.resume : words.pause,
      run: () => (online ? acts.togglePause() : undefined),
    },
  ])
  return (
    <Page
      title={name}
      note={words.kind[kind]}
      width="reading"
      actions={
        <>
          <Button icon={isPaused ? Play : Pause} keys="p" disabled={!online} onClick={acts.togglePause}>
            {isPaused ? words.resume : words.pause}
          </Button>
          <Button icon={isPinned ? PinOff : Pin} disabled={!online} onClick={acts.togglePin}>
            {isPinned ? words.unpin : words.pin}
          </Button>
          <Menu
            label={words.more}
            items={[
              { label: words.remove, disabled: !online, run: () => setRemoving(true) },
              copyCommand(`countersign extension show ${name}`),
            ]}
          />
        </>
      }
    >
      <Link to={backTo} className="target -mt-2 mb-2 inline-flex items-center gap-1.5 text-small">
        <ArrowLeft size={14} aria-hidden className="rtl:rotate-180" />
        {words.all}
      </Link>
      <StaleNote at={null} className="mb-2" />
      <p className="flex flex-wrap items-center gap-2 text-small text-ink-2">
        <StateChip state={state} />
        {isPinned ? <Chip>{words.pinned}</Chip> : null}
        <Safe text={words.stateMeans[state]} />
      </p>
      {children}
      {removing ? <RemoveExtension row={row} onClose={() => setRemoving(false)} onGone={onGone} /> : null}
    </Page>
  )
}

function RemoveExtension({
  row,
  onClose,
  onGone,
}: Pick<ExtensionPageProps, 'row' | 'onGone'> & { readonly onClose: () => void }) {
  const acts = useExtensionActs(row)
  return (
    <FormDialog
      title={words.removing.title(row.name)}
      description={words.removing[row.kind]}
      tone="danger"
      submit={words.remove}
      onClose={onClose}
      onSubmit={async () => {
        const outcome = await acts.remove()
        if (outcome.kind === 'done') onGone()
      }}
    />
  )
}
