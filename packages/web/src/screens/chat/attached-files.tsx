/** The files that go with the message, and words that somebody else wrote: shown before they are sent. */
import { forDisplay } from '@countersign/contract'
import { X } from 'lucide-react'
import { Button, classes, DisplayFlags, Safe, SafeBlock } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/chat.tsx'
import type { Attachments, ChosenFile } from './attachments.ts'
import { mayBeWords } from './shared-content.ts'

export function AttachedFiles({
  attachments,
  onWords,
}: {
  attachments: Attachments
  /** What was shared becomes part of what the person says. */
  onWords: (text: string) => void
}) {
  if (attachments.files.length === 0) return null
  return (
    <ul
      className="flex max-h-[40dvh] flex-wrap gap-2 overflow-y-auto px-3 pb-2"
      aria-label={words.composer.attachedFiles}
    >
      {attachments.files.map((chosen) =>
        chosen.text === undefined ? (
          <FileItem key={chosen.key} chosen={chosen} onRemove={() => attachments.remove(chosen.key)} />
        ) : (
          <TextItem
            key={chosen.key}
            text={chosen.text}
            onRemove={() => attachments.remove(chosen.key)}
            onWords={(text) => {
              attachments.remove(chosen.key)
              onWords(text)
            }}
          />
        ),
      )}
    </ul>
  )
}

function FileItem({ chosen: { file }, onRemove }: { chosen: ChosenFile; onRemove: () => void }) {
  return (
    <li className="flex max-w-full items-center gap-1 rounded-1 border border-line bg-well ps-2.5 text-small">
      <span className="min-w-0 truncate">
        <Safe text={file.name} /> <span className="text-ink-3">{sizeWords(file.size)}</span>
      </span>
      <RemoveButton label={words.composer.detach(file.name)} onRemove={onRemove} />
    </li>
  )
}

/** As it is shown it becomes the person's words: what would hide or reorder text is spelled out, and nothing is cut off. */
function TextItem({
  text,
  onRemove,
  onWords,
}: {
  text: string
  onRemove: () => void
  onWords: (text: string) => void
}) {
  const shown = forDisplay(text, { multiline: true }).text
  const isShort = mayBeWords(shown)
  return (
    <li className="w-full rounded-1 border border-line bg-well px-2.5 py-1.5 text-small">
      <div className="flex items-start gap-1">
        <p className="min-w-0 flex-1 pt-0.5 font-medium text-ink-2">{words.shared.text}</p>
        <RemoveButton label={words.shared.remove} onRemove={onRemove} />
      </div>
      <DisplayFlags texts={[text]} />
      <SafeBlock text={text} className={classes('break-words', !isShort && 'line-clamp-6')} />
      {isShort && (
        <Button size="small" className="mt-1.5" onClick={() => onWords(shown)}>
          {words.shared.useAsWords}
        </Button>
      )}
    </li>
  )
}

function RemoveButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      className="target flex items-center justify-center rounded-1 px-1.5 hover:bg-ink/5"
      onClick={onRemove}
    >
      <X size={14} aria-hidden />
    </button>
  )
}
