/** Owns the figures of how often the product asks as it is installed, measured in written weeks of three persons. */
import { z } from 'zod'

const AskedOf = z.strictObject({ week: z.number(), heldOut: z.number() })

/** In 100 calls of each week, and of what was held out for it. */
export const AskedPer100 = z.strictObject({ technical: AskedOf, office: AskedOf, household: AskedOf })
export type AskedPer100 = z.infer<typeof AskedPer100>

type Times = [technical: number, office: number, household: number]

/** In whole times: in the weeks, and in what was held out. */
export function askedTimes({ technical, office, household }: AskedPer100): [Times, Times] {
  const times = (of: 'week' | 'heldOut'): Times => [
    Math.round(technical[of]),
    Math.round(office[of]),
    Math.round(household[of]),
  ]
  return [times('week'), times('heldOut')]
}
