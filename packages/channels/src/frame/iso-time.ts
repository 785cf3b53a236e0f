/** Owns how a time is read that somebody else wrote: in ISO 8601, with a zone, in a year of four digits. Pure. */
import { z } from 'zod'

const Written = z.iso.datetime({ offset: true })
const Told = z.iso.datetime()

/** As the frame tells it; undefined where it is no such time. */
export function isoTime(written: unknown): string | undefined {
  const read = Written.safeParse(written)
  if (!read.success) return undefined
  const told = new Date(read.data)
  return Number.isNaN(told.getTime()) ? undefined : Told.safeParse(told.toISOString()).data
}
