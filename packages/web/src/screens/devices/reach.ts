/** Owns how far a device may go, and what is given to a new one unless the operator says otherwise. Pure. */

import type { DeviceReach, DeviceView, PairingRequestView } from '@countersign/contract'
import { words } from '../../words/devices.tsx'

export const reaches: readonly DeviceReach[] = [0, 2, 3]

/** A phone is easily left lying about: it decides up to T2 unless the operator gives it more. */
export function offeredReach({
  reach,
  platform,
}: Pick<PairingRequestView, 'reach' | 'platform'>): DeviceReach {
  return isPhone(platform) && reach === 3 ? 2 : reach
}

export function isPhone(platform: string): boolean {
  return /android|iphone|ipad|ios/i.test(platform)
}

/** Whether it is there, and since when not. `seen` is null where the gateway has not met it since its own start. */
export function presenceOf({ connections, seenAt }: Pick<DeviceView, 'connections' | 'seenAt'>): {
  readonly isHere: boolean
  readonly words: string
  readonly seen: string | null
} {
  if (connections > 0)
    return {
      isHere: true,
      words: connections === 1 ? words.presence.connected : words.presence.windows(connections),
      seen: null,
    }
  return {
    isHere: false,
    words: seenAt === null ? words.presence.never : words.presence.seen,
    seen: seenAt,
  }
}
