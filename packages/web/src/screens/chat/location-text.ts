/** Owns how a place is said in a message. Pure. */
import { words } from '../../words/chat.tsx'

export type LocationProblem = 'denied' | 'unknown' | 'late'

/** About a metre: what follows is only what the sensor made up. */
const digits = 5

export function locationText({
  latitude,
  longitude,
  accuracy,
}: Pick<GeolocationCoordinates, 'latitude' | 'longitude' | 'accuracy'>): string {
  return words.here.text(
    `${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`,
    Math.max(1, Math.round(accuracy)),
  )
}

/** By the code of `GeolocationPositionError`. */
export function locationProblem(code: number): LocationProblem {
  if (code === 1) return 'denied'
  return code === 3 ? 'late' : 'unknown'
}
