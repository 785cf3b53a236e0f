/** Owns text that is there to be copied: commands of the terminal, ids, links. */

import { Check, Copy } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useAnnounce } from '../environment/announcer.tsx'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import type { MenuItem } from './menu.tsx'
import { useNotify } from './notify.tsx'

export function CopyButton({
  text,
  label = words.copy,
  size = 'medium',
}: {
  text: string
  label?: string
  size?: 'small' | 'medium'
}) {
  const announce = useAnnounce()
  const [done, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(words.copiedSpoken)
    setDone(true)
    window.setTimeout(() => setDone(false), 2_000)
  }
  return (
    <Button variant="quiet" size={size} icon={done ? Check : Copy} onClick={() => void copy()}>
      {done ? words.copied : label}
    </Button>
  )
}

/** One command line with a way to copy it. */
export function Command({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <div
      className={classes(
        'flex max-w-full items-center gap-1 rounded-1 border border-line bg-well ps-3 pe-1 py-0.5',
        className,
      )}
    >
      <code dir="ltr" className="min-w-0 flex-1 py-1 whitespace-pre-wrap">
        <span aria-hidden className="text-ink-3 select-none">
          ${' '}
        </span>
        {text}
      </code>
      <CopyButton text={text} size="small" />
    </div>
  )
}

/** What can be done in a terminal, each with its command. */
export function Commands({ rows }: { rows: readonly (readonly [label: string, command: string | null])[] }) {
  return (
    <ul className="space-y-2">
      {rows.map(([label, command]) =>
        command === null ? null : (
          <li key={label}>
            <div className="mb-0.5 text-small text-ink-2">{label}</div>
            <Command text={command} />
          </li>
        ),
      )}
    </ul>
  )
}

/** An item of a menu that copies the command which does the same in a terminal. */
export function useCopyCommand(): (text: string) => MenuItem {
  const notify = useNotify()
  return useCallback(
    (text) => ({
      label: words.keys.copyCommand,
      detail: text,
      icon: Copy,
      run: () => void navigator.clipboard.writeText(text).then(() => notify({ text: words.commandCopied })),
    }),
    [notify],
  )
}

/** A word for the shell: quoted where it needs that. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
