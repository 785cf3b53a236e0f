/** Where a message is written. Offline it is kept and says so; while a run goes on it says when it will be heard. */

import { type Attachment, type InputMode, type SlashRow, slashMatching } from '@countersign/contract'
import { Camera, Paperclip, SendHorizontal, Square } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { UploadStopped, useFileUploads } from '../../deciding/use-upload.ts'
import { Button, Choice, classes, Progress, useNotify } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'
import { AttachedFiles } from './attached-files.tsx'
import { type Attachments, upload, useAttachments } from './attachments.ts'
import { LocationButton } from './location-button.tsx'
import { isSeen, lookMs } from './shared-content.ts'
import { SlashMenu, slashMenuId } from './slash-menu.tsx'
import { TalkButton, TalkNote } from './talk-button.tsx'
import { useShared } from './use-shared.ts'
import { type Talking, useTalking } from './use-talking.ts'

export interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly draft: string
  readonly onDraft: (text: string) => void
  /** The last message, which ↑ brings back into an empty field. */
  readonly last: string | null
  readonly running: boolean
  readonly online: boolean
  /** Messages that wait for the connection. */
  readonly kept: number
  /** False where nothing was sent, as for a command that there is not: then the text stays. */
  readonly onSend: (text: string, mode: InputMode, attachments: readonly Attachment[]) => boolean
  readonly onStop: () => void
  /** False where what is said must be kept nowhere: a recording goes through calls, which are kept. */
  readonly talks: boolean
  /** What is chosen beside the words: to whom it goes, and which model answers. */
  readonly choices: ReactNode
}

export function Composer(props: ComposerProps) {
  const { field, draft, onDraft, running } = props
  const attachments = useAttachments()
  const [mode, setMode] = useState<'queue' | 'steer'>('queue')
  const [over, setOver] = useState(false)
  const sending = useSendingWithFiles(props, attachments, running ? mode : 'auto')
  const seen = useSeen(attachments)
  const slash = useSlashMenu(draft, onDraft)
  const addWords = useAddedWords(props)
  const talking = useTalking(addWords)
  useShared(attachments)
  const keyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || slash.onKey(event)) return
    if (event.key === 'ArrowUp' && draft === '' && props.last !== null) {
      event.preventDefault()
      onDraft(props.last)
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    // A key that was held down since another page sends nothing here.
    if (event.repeat) return
    void sending.send()
  }
  return (
    <div
      className={classes(
        'relative rounded-2 border border-edge bg-sheet shadow-1 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-act',
        over && 'border-act bg-act-soft',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        attachments.add(event.dataTransfer.files)
      }}
    >
      <SlashMenu rows={slash.rows} chosen={slash.chosen} onPick={slash.pick} />
      <label htmlFor="composer" className="sr-only">
        {words.composer.label}
      </label>
      <textarea
        id="composer"
        ref={field}
        value={draft}
        rows={Math.min(10, Math.max(2, draft.split('\n').length))}
        placeholder={words.composer.placeholder}
        {...slash.aria}
        onChange={(event) => onDraft(event.target.value)}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          attachments.add(event.clipboardData.files)
        }}
        onKeyDown={keyDown}
        className="block w-full resize-none bg-transparent px-4 pt-3 text-base outline-none pointer-coarse:text-[16px]"
      />
      <AttachedFiles attachments={attachments} onWords={addWords} />
      {sending.current === null ? null : (
        <div className="px-4 pb-2">
          <Progress
            label={words.attach.sending(sending.current.name)}
            share={sending.current.share}
            onStop={sending.stop}
          />
        </div>
      )}
      <TalkNote talking={talking} />
      <OfflineNote online={props.online} kept={props.kept} />
      <ComposerButtons
        {...props}
        mode={mode}
        onMode={setMode}
        attachments={attachments}
        talking={talking}
        onWords={addWords}
        busy={sending.busy}
        seen={seen}
        onSendNow={() => void sending.send()}
      />
    </div>
  )
}

/** What is added goes behind what is written by then, and the person goes on from there. */
function useAddedWords({
  draft,
  onDraft,
  field,
}: Pick<ComposerProps, 'draft' | 'onDraft' | 'field'>): (text: string) => void {
  const written = useRef(draft)
  useEffect(() => {
    written.current = draft
  }, [draft])
  return useCallback(
    (text: string) => {
      const before = written.current.trimEnd()
      onDraft(before === '' ? text : `${before} ${text}`)
      field.current?.focus()
    },
    [onDraft, field],
  )
}

/** Files are written first, so that the message names what is there. */
function useSendingWithFiles(
  { draft, onDraft, onSend }: Pick<ComposerProps, 'draft' | 'onDraft' | 'onSend'>,
  attachments: Attachments,
  mode: InputMode,
) {
  const uploads = useFileUploads()
  const notify = useNotify()
  const [busy, setBusy] = useState(false)
  async function send() {
    const message = draft.trim()
    if (busy || (message === '' && attachments.files.length === 0)) return
    if (!isSeen(attachments.files, performance.now())) return
    setBusy(true)
    try {
      const attached: Attachment[] = []
      // One after the other, so that it can be said how far it is.
      for (const file of attachments.files) attached.push(await upload(uploads, file))
      if (!onSend(message, mode, attached)) return
      onDraft('')
      attachments.clear()
    } catch (error) {
      if (error instanceof UploadStopped) notify({ text: words.attach.stopped })
      else notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, send, current: uploads.current, stop: uploads.stop }
}

/** Until then nothing is sent, and the button says so. */
function useSeen({ files }: Pick<Attachments, 'files'>): boolean {
  const [now, lookAgain] = useState(() => performance.now())
  const seen = isSeen(files, now)
  useEffect(() => {
    if (seen) return undefined
    const timer = setTimeout(() => lookAgain(performance.now()), lookMs)
    return () => clearTimeout(timer)
  })
  return seen
}

/** Arrows choose, Enter and Tab take, Escape closes. */
function useSlashMenu(draft: string, onDraft: (text: string) => void) {
  const [at, setAt] = useState(0)
  const [closed, setClosed] = useState<string | null>(null)
  const rows = closed === draft ? [] : slashMatching(draft, 'web')
  const chosen = Math.min(at, Math.max(0, rows.length - 1))
  const pick = ({ name, takes }: SlashRow) => {
    const text = `/${name}${takes === '' ? '' : ' '}`
    onDraft(text)
    setClosed(text)
    setAt(0)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    const row = rows[chosen]
    if (row === undefined) return false
    const isWhole = draft === `/${row.name}`
    if (event.key === 'ArrowDown') setAt((chosen + 1) % rows.length)
    else if (event.key === 'ArrowUp') setAt((chosen + rows.length - 1) % rows.length)
    else if (event.key === 'Escape') setClosed(draft)
    else if (event.key === 'Tab' || (event.key === 'Enter' && !isWhole)) pick(row)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const aria =
    rows.length === 0
      ? {}
      : {
          'aria-controls': slashMenuId,
          'aria-activedescendant': `${slashMenuId}-${rows[chosen]?.name ?? ''}`,
        }
  return { rows, chosen, pick, onKey, aria }
}

/** On a line of its own, so that it never squeezes the buttons. */
function OfflineNote({ online, kept }: { online: boolean; kept: number }) {
  return (
    <p role="status" className={classes('px-4 text-small text-ink-3', !online && 'pb-1.5')}>
      {online ? '' : kept === 0 ? words.composer.offline : words.composer.kept(kept)}
    </p>
  )
}

/** Where a finger points there is a camera; elsewhere the button would open the same window as the one beside it. */
function CameraButton({ attachments }: { attachments: Attachments }) {
  const camera = useRef<HTMLInputElement>(null)
  return (
    <span className="hidden max-md:order-first pointer-coarse:block">
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={words.composer.photo}
        onChange={({ target }) => {
          attachments.add(target.files ?? [])
          target.value = ''
        }}
      />
      <Button
        variant="quiet"
        icon={Camera}
        className="max-md:min-w-11"
        onClick={() => camera.current?.click()}
      >
        <span className="sr-only">{words.composer.takePhoto}</span>
      </Button>
    </span>
  )
}

function ComposerButtons({
  draft,
  running,
  onStop,
  choices,
  mode,
  onMode,
  attachments,
  talks,
  online,
  talking,
  onWords,
  busy,
  seen,
  onSendNow,
}: ComposerProps & {
  mode: 'queue' | 'steer'
  onMode: (mode: 'queue' | 'steer') => void
  attachments: Attachments
  talking: Talking
  onWords: (text: string) => void
  busy: boolean
  seen: boolean
  onSendNow: () => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div className="flex items-center gap-2 px-2 pb-2 whitespace-nowrap max-md:flex-wrap">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={words.composer.files}
        onChange={({ target }) => {
          attachments.add(target.files ?? [])
          target.value = ''
        }}
      />
      <Button
        variant="quiet"
        icon={Paperclip}
        className="max-md:order-first max-md:min-w-11"
        onClick={() => picker.current?.click()}
      >
        <span className="max-md:sr-only">{words.composer.attach}</span>
      </Button>
      <CameraButton attachments={attachments} />
      <LocationButton onWords={onWords} />
      {talks && online ? <TalkButton talking={talking} /> : null}
      <div className="flex min-w-0 items-center gap-1 max-md:order-first max-md:flex-1 max-md:basis-[60%] max-md:flex-wrap">
        {choices}
      </div>
      {running ? (
        <Choice
          label={words.composer.when}
          hideLabel
          value={mode}
          options={[
            { value: 'queue', label: words.composer.afterRun },
            { value: 'steer', label: words.composer.now },
          ]}
          onChange={onMode}
        />
      ) : null}
      <span className="flex-1" />
      {running ? (
        <Button icon={Square} className="max-md:min-w-11" onClick={onStop}>
          <span className="max-md:sr-only">{words.composer.stop}</span>
        </Button>
      ) : null}
      <Button
        variant="go"
        icon={SendHorizontal}
        busy={busy}
        className="max-md:min-w-11"
        disabled={!seen || (draft.trim() === '' && attachments.files.length === 0)}
        onClick={onSendNow}
      >
        <span className="max-md:sr-only">{busy ? words.composer.attaching : words.composer.send}</span>
      </Button>
    </div>
  )
}
