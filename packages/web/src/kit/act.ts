/** Owns what a button does at the gateway: it is under way, then it is said what came of it, with a way back where there is one. */
import type { Client } from '@countersign/contract/client'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../environment/services.tsx'
import { words } from '../words/common.ts'
import { useNotify } from './notify.tsx'

export type Work = (client: Client) => Promise<unknown>

export interface Acting {
  readonly isBusy: boolean
  /** Does it and says so. Whether it was done; a failure is told. */
  readonly act: (work: Work, said?: string, undo?: Work) => Promise<boolean>
  /** Does it for a form, which tells the failure itself. */
  readonly perform: (work: Work, said?: string, undo?: Work) => Promise<void>
}

/** `touches` are the answers that are asked for anew. */
export function useAct(touches: readonly QueryKey[]): Acting {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [under, setUnder] = useState(0)
  const run = async (work: Work) => {
    setUnder((count) => count + 1)
    try {
      await work(client)
    } finally {
      setUnder((count) => count - 1)
      await Promise.all(touches.map((queryKey) => queries.invalidateQueries({ queryKey })))
    }
  }
  const perform: Acting['perform'] = async (work, said, undo) => {
    await run(work)
    if (said === undefined) return
    const action = undo && { label: words.undo, run: () => void act(undo, words.undone) }
    notify({ text: said, ...(action === undefined ? {} : { action }) })
  }
  const act: Acting['act'] = async (work, said, undo) => {
    try {
      await perform(work, said, undo)
      return true
    } catch (error) {
      notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
      return false
    }
  }
  return { isBusy: under > 0, act, perform }
}
