/** Owns what can be done with a conversation in the list: name, pin, hide, empty and delete it. */

import type { SessionId, SessionView } from '@countersign/contract'
import { Archive, ArchiveRestore, Eraser, FileDown, Pencil, Pin, PinOff, Shrink, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { Button, Dialog, type MenuItem, Safe, TextField, useNotify } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'
import { words as common } from '../../words/common.ts'
import { saveConversation } from './conversation-file.tsx'

type Open = { readonly kind: 'rename' | 'clear' | 'delete'; readonly session: SessionView } | null

export interface ConversationChanges {
  readonly open: Open
  readonly close: () => void
  readonly busy: boolean
  readonly rename: (session: SessionView, title: string) => void
  readonly clear: (session: SessionView) => void
  readonly remove: (session: SessionView) => void
  readonly itemsFor: (session: SessionView) => readonly MenuItem[]
}

export function useConversationChanges(current: SessionId | null): ConversationChanges {
  const notify = useNotify()
  const go = useGo()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const onError = (error: Error) => notify({ text: error.message, tone: 'bad' })
  const touches = [['sessions']]
  const rename = useChange(
    (client, { id, title }: { id: string; title: string }) => client.renameSession(id, title),
    touches,
  )
  const mark = useChange(
    (client, { id, ...marks }: { id: string; pinned?: boolean; hidden?: boolean }) =>
      client.markSession(id, marks),
    touches,
  )
  const shorten = useChange((client, id: string) => client.archiveSession(id), [...touches, ['session']])
  const save = useChange((client, session: SessionView) => saveConversation(client, session))
  const clear = useChange((client, id: string) => client.clearSession(id), [...touches, ['session']])
  const remove = useChange((client, id: string) => client.removeSession(id), touches)
  const hide = (session: SessionView, hidden: boolean) =>
    mark.mutate(
      { id: session.id, hidden },
      {
        onError,
        onSuccess: () =>
          hidden
            ? notify({
                text: words.list.archived,
                action: { label: words.cells.undo, run: () => hide(session, false) },
              })
            : undefined,
      },
    )
  return {
    open,
    close,
    busy: rename.isPending || clear.isPending || remove.isPending,
    rename: ({ id }, title) => rename.mutate({ id, title }, { onError, onSuccess: close }),
    clear: ({ id }) =>
      clear.mutate(id, {
        onError,
        onSuccess: () => {
          close()
          // What a page has seen already is read anew.
          if (id === current) window.location.reload()
        },
      }),
    remove: ({ id }) =>
      remove.mutate(id, {
        onError,
        onSuccess: () => {
          close()
          if (id === current) go('/chat/new', { replace: true })
        },
      }),
    itemsFor: (session) => [
      { label: words.list.rename, icon: Pencil, run: () => setOpen({ kind: 'rename', session }) },
      {
        label: session.pinned ? words.list.unpin : words.list.pin,
        icon: session.pinned ? PinOff : Pin,
        run: () => mark.mutate({ id: session.id, pinned: !session.pinned }, { onError }),
      },
      {
        label: session.hidden ? words.list.unarchive : words.list.archive,
        icon: session.hidden ? ArchiveRestore : Archive,
        run: () => hide(session, !session.hidden),
      },
      {
        label: words.list.shorten,
        icon: Shrink,
        detail: words.list.shortenAbout,
        run: () =>
          shorten.mutate(session.id, {
            onError,
            onSuccess: ({ messages }) => notify({ text: words.list.shortened(messages) }),
          }),
      },
      { label: words.list.saveFile, icon: FileDown, run: () => save.mutate(session, { onError }) },
      { label: words.list.clear, icon: Eraser, run: () => setOpen({ kind: 'clear', session }) },
      { label: words.list.delete, icon: Trash2, run: () => setOpen({ kind: 'delete', session }) },
    ],
  }
}

export function ConversationDialogs({ changes }: { changes: ConversationChanges }) {
  const { open } = changes
  if (open === null) return null
  return open.kind === 'rename' ? (
    <RenameDialog key={open.session.id} session={open.session} changes={changes} />
  ) : (
    <EraseDialog kind={open.kind} session={open.session} changes={changes} />
  )
}

function RenameDialog({ session, changes }: { session: SessionView; changes: ConversationChanges }) {
  const [title, setTitle] = useState(session.title)
  const save = () => {
    if (title.trim() !== '') changes.rename(session, title.trim())
  }
  return (
    <Dialog
      open
      onClose={changes.close}
      title={words.list.rename}
      size="small"
      actions={
        <>
          <Button variant="quiet" onClick={changes.close}>
            {common.back}
          </Button>
          <Button variant="go" busy={changes.busy} disabled={title.trim() === ''} onClick={save}>
            {words.list.save}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={words.list.name}
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

interface EraseDialogProps {
  readonly kind: 'clear' | 'delete'
  readonly session: SessionView
  readonly changes: ConversationChanges
}

function EraseDialog({ kind, session, changes }: EraseDialogProps) {
  const isClear = kind === 'clear'
  const erase = isClear ? changes.clear : changes.remove
  return (
    <Dialog
      open
      onClose={changes.close}
      title={isClear ? words.list.clearTitle : words.list.deleteTitle}
      description={<Safe text={session.title} />}
      size="small"
      actions={
        <>
          <Button variant="quiet" onClick={changes.close}>
            {common.back}
          </Button>
          <Button variant="danger" busy={changes.busy} onClick={() => erase(session)}>
            {isClear ? words.list.clear : words.list.delete}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{isClear ? words.list.clearNote : words.list.deleteNote}</p>
    </Dialog>
  )
}
