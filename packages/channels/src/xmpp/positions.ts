/** Owns up to where each archive was taken, over restarts. */

import { z } from 'zod'
import type { ChannelContext } from '../frame/adapter.ts'
import type { ArchivePosition } from './archive.ts'

const Positions = z.record(z.string(), z.object({ id: z.string(), at: z.string() }))

export interface ArchivePositions {
  /** Ours is the empty name. */
  of(archive: string): ArchivePosition | undefined
  keep(archive: string, position: ArchivePosition): void
}

/** What was kept by nobody we know is nothing: the archives are then read from now on. */
export function createPositions({
  state,
  keep,
}: Pick<ChannelContext<unknown>, 'state' | 'keep'>): ArchivePositions {
  const all = new Map(Object.entries(read(state)))
  let isKeeping = false
  let isChanged = false

  async function keepAll(): Promise<void> {
    isKeeping = true
    while (isChanged) {
      isChanged = false
      // Kept too little, more is read again than is new.
      await keep(JSON.stringify(Object.fromEntries(all))).catch(() => undefined)
    }
    isKeeping = false
  }

  return {
    of: (archive) => all.get(archive),
    keep(archive, position) {
      all.set(archive, position)
      isChanged = true
      if (!isKeeping) void keepAll()
    },
  }
}

function read(state: string | null): z.infer<typeof Positions> {
  if (state === null) return {}
  try {
    return Positions.parse(JSON.parse(state))
  } catch {
    // An older or a broken one.
    return {}
  }
}
