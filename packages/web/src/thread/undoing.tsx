/** Takes back what a line of the thread tells of, and says so once it is taken back. */

import { useState } from 'react'
import { useLive, useServices } from '../environment/services.tsx'
import { Button, useNotify } from '../kit/index.ts'
import { words } from '../words/chat.tsx'
import type { Cell } from './entries.ts'

export function Undoing({ cells, readOnly }: { cells: readonly Cell[]; readOnly: boolean }) {
  const { client } = useServices()
  const notify = useNotify()
  const [asked, setAsked] = useState(false)
  const first = cells[0]
  const run = useLive((live) => (first === undefined ? undefined : live.state.runs[first.item.run]))
  const isOver = run === undefined || run.state === 'stopped'
  const left = cells.filter(({ item, undone }) => item.undoable && !undone)
  if (first === undefined) return null
  if (cells.every(({ undone }) => undone))
    return <span className="shrink-0 text-small text-ink-3">{words.cells.undone}</span>
  if (readOnly || left.length === 0 || !isOver) return null
  const undo = async () => {
    setAsked(true)
    try {
      await client.undoRun(
        first.item.run,
        left.map(({ item }) => item.call),
      )
    } catch (error) {
      notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
    } finally {
      setAsked(false)
    }
  }
  return (
    <Button
      variant="quiet"
      size="small"
      busy={asked}
      className="shrink-0 text-act"
      onClick={() => void undo()}
    >
      {asked ? words.cells.undoing : words.cells.undo}
    </Button>
  )
}
