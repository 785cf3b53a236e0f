/** Owns text that is there to be copied: commands of the terminal, ids, links. */

import { Check, Copy } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useAnnounce } from '../environment/announcer.tsx'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'
import type { MenuItem } from './menu.tsx'
import { useNotify } from './notify.tsx'

export function CopyButton({
  text,
  label = words.copy,
  size = 'medium',
  title,
}: {
  text: string
  label?: string
  /** What a pointer that rests on it is told. */
  title?: string
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
    <Button variant="quiet" size={size} title={title} icon={done ? Check : Copy} onClick={() => void copy()}>
      {done ? words.copied : label}
    </Button>
  )
}

/** The command that does the same in a terminal, for whoever wants it: it is copied, and shown to a pointer only. */
export function CopyCommand({ text }: { text: string }) {
  return <CopyButton text={text} label={words.keys.copyCommand} size="small" title={text} />
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
