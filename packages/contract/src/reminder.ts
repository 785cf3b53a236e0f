/** Owns what is told of an event of the calendar that is near, and the English sentence for it. */
import { z } from 'zod'

/** The fields that the event on the stream and the notice made of it share. */
export const reminder = {
  /** The record of the calendar. */
  event: z.string(),
  title: z.string(),
  /** As it is kept: a day, a local time, or a moment. */
  start: z.string(),
  /** The moment at which it begins, in the operator's zone where the time is a local one. */
  startsAt: z.string(),
  location: z.string().nullable(),
  /** It was due earlier, and nobody was there to tell it. */
  late: z.boolean(),
  /** It had begun when it was told. */
  begun: z.boolean(),
} as const

export type Reminder = z.infer<z.ZodObject<typeof reminder>>

export function reminderWords({ title, late, begun, ...at }: Omit<Reminder, 'event'>): string {
  const excuse = late ? ' This reminder is late: the gateway was not running when it was due.' : ''
  return `Reminder: “${title}” ${begun ? 'began' : 'begins'} ${timeAndPlace(at)}.${excuse}`
}

/** As a person writes it. */
export function timeAndPlace({ start, location }: Pick<Reminder, 'start' | 'location'>): string {
  const when = start.replace('T', ' ').replace(/:00(Z?)$/, '$1')
  return location === null ? when : `${when}, ${location}`
}
