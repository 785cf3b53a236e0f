/** Where a message is written. Offline it is kept and says so; while a run goes on it says when it will be heard. */

import type { InputMode } from '@countersign/contract'
import { Paperclip, SendHorizontal, Square } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useClient } from '../../environment/services.tsx'
import { Button, Choice, useNotify } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'
import { attach } from './attach.ts'

export interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly running: boolean
  readonly online: boolean
  /** Messages that wait for the connection. */
  readonly kept: number
  readonly onSend: (text: string, mode: InputMode) => void
  readonly onStop: () => void
}

export function Composer({ field, running, online, kept, onSend, onStop }: ComposerProps) {
  const client = useClient()
  const notify = useNotify()
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly string[]>([])
  const [mode, setMode] = useState<'queue' | 'steer'>('queue')

  function send() {
    const message = text.trim()
    if (message === '' && files.length === 0) return
    const attached = files.length === 0 ? '' : `\n\n${words.composer.attached(files.join(', '))}`
    onSend(`${message}${attached}`.trim(), running ? mode : 'auto')
    setText('')
    setFiles([])
  }
  async function add(chosen: FileList | null) {
    for (const file of chosen ?? []) {
      const done = await attach(client, file)
      if (done.kind === 'attached') setFiles((all) => [...all, done.path])
      else notify({ text: done.reason, tone: 'bad' })
    }
  }

  return (
    <div className="rounded-2 border border-edge bg-sheet shadow-1 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-act">
      <label htmlFor="composer" className="sr-only">
        {words.composer.label}
      </label>
      <textarea
        id="composer"
        ref={field}
        value={text}
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        placeholder={words.composer.placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
        className="block w-full resize-none bg-transparent px-4 pt-3 text-base outline-none pointer-coarse:text-[16px]"
      />
      {files.length === 0 ? null : (
        <p className="px-4 text-small text-ink-2">{words.composer.attached(files.join(', '))}</p>
      )}
      <div className="flex flex-wrap items-center gap-2 px-2 pb-2">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={words.composer.files}
          onChange={(event) => void add(event.target.files)}
        />
        <Button variant="quiet" icon={Paperclip} onClick={() => picker.current?.click()}>
          {words.composer.attach}
        </Button>
        {running ? (
          <Choice
            label={words.composer.when}
            hideLabel
            value={mode}
            options={[
              { value: 'queue', label: words.composer.afterRun },
              { value: 'steer', label: words.composer.now },
            ]}
            onChange={setMode}
          />
        ) : null}
        <span className="flex-1 text-end text-small text-ink-3" role="status">
          {online ? '' : kept === 0 ? words.composer.offline : words.composer.kept(kept)}
        </span>
        {running ? (
          <Button icon={Square} keys="mod+." onClick={onStop}>
            {words.composer.stop}
          </Button>
        ) : null}
        <Button
          variant="go"
          icon={SendHorizontal}
          disabled={text.trim() === '' && files.length === 0}
          onClick={send}
        >
          {words.composer.send}
        </Button>
      </div>
    </div>
  )
}
